// Two writers of one variable: a reader can see the larger value first, when it is written first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *one(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *two(void *unused) {
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    int first = atomic_load(&x);
    int second = atomic_load(&x);
    assert(first <= second);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
