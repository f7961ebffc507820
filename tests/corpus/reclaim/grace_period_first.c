// The writer waits for the readers before the exchange: one that comes after the wait still gets the old object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;
static atomic_int readers, seen;

static int *make(int value) {
    int *object = malloc(sizeof *object);
    *object = value;
    return object;
}

static void *reader(void *unused) {
    readers++;
    int *mine = current;
    seen = *mine;
    readers--;
    return unused;
}

int main(void) {
    pthread_t a;
    current = make(1);
    pthread_create(&a, NULL, reader, NULL);
    while (readers) {
    }
    int *fresh = make(2), *old = atomic_exchange(&current, fresh);
    free(old);
    pthread_join(a, NULL);
    free(fresh);
    return 0;
}
