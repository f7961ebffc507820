// CoWR: a thread that has written reads its own value or a newer one, never the one before.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *other(void *unused) {
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    atomic_store(&x, 1);
    assert(atomic_load(&x) != 0);
    pthread_join(thread, NULL);
    return 0;
}
