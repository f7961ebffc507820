// The repair: an exchange, which gives the object to one of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic object;

static void *dispose(void *unused) {
    free(atomic_exchange(&object, NULL));
    return unused;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    pthread_create(&a, NULL, dispose, NULL);
    pthread_create(&b, NULL, dispose, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(!object);
    return 0;
}
