// CoWW: of two writes of one thread to a variable, the first is not the last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&x, 3);
    pthread_join(thread, NULL);
    assert(atomic_load(&x) != 1);
    return 0;
}
