// Read, copy, update: readers count themselves in and out, and the writer waits after the exchange until nobody is in.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current;
static atomic_int readers;

static int *make(int value) {
    int *object = malloc(sizeof *object);
    *object = value;
    return object;
}

static void *reader(void *unused) {
    readers++;
    int *mine = current;
    assert(*mine == 1 || *mine == 2);
    readers--;
    return unused;
}

int main(void) {
    pthread_t a, b;
    current = make(1);
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    int *fresh = make(2), *old = atomic_exchange(&current, fresh);
    while (readers) {
    }
    free(old);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(fresh);
    return 0;
}
