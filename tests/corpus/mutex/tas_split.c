// A lock that is one bit, tested and set in two steps: both threads can see it free.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken, inside;

static void *worker(void *unused) {
    while (atomic_load(&taken)) {
    }
    atomic_store(&taken, 1);
    assert(inside++ == 0);
    inside--;
    atomic_store(&taken, 0);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
