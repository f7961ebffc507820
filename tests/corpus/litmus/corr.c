// CoRR: two reads of the same variable by one thread do not go back in time.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *count(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t counter;
    pthread_create(&counter, NULL, count, NULL);
    int first = atomic_load(&x);
    int second = atomic_load(&x);
    assert(first <= second);
    pthread_join(counter, NULL);
    return 0;
}
