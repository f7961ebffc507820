// check: --property deadlock
// Two locks, one of them on the heap, taken in the order of their addresses, whichever that is.
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>

static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *heap;

static void both(pthread_mutex_t *one, pthread_mutex_t *other) {
    pthread_mutex_t *first = (uintptr_t)one < (uintptr_t)other ? one : other;
    pthread_mutex_t *second = first == one ? other : one;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
}

static void *other(void *unused) {
    both(heap, &global);
    return unused;
}

int main(void) {
    heap = malloc(sizeof *heap);
    pthread_mutex_init(heap, 0);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    both(&global, heap);
    pthread_join(t, 0);
    free(heap);
    return 0;
}
