// A stack that only counts: pop checks and takes in two steps, and two threads take the last element.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int height = 1;

static void *pop(void *unused) {
    if (height > 0)
        height--;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(height >= 0);
    return 0;
}
