// CoRW: a thread reads the other's value and then writes its own. The one it read is then not the last.
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
    int seen = atomic_load(&x);
    atomic_store(&x, 1);
    pthread_join(thread, NULL);
    assert(!(seen == 2 && atomic_load(&x) == 2));
    return 0;
}
