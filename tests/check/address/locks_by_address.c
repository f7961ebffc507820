// check: --property deadlock
// One thread takes them in the order of their addresses, the other one as they come.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t global = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t *heap;

static void *other(void *unused) {
    pthread_mutex_lock(&global);
    pthread_mutex_lock(heap); //~ error[deadlock]
    pthread_mutex_unlock(heap);
    pthread_mutex_unlock(&global);
    return unused;
}

int main(void) {
    heap = malloc(sizeof *heap);
    pthread_mutex_init(heap, 0);
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_t *first = heap < &global ? heap : &global;
    pthread_mutex_t *second = first == heap ? &global : heap;
    pthread_mutex_lock(first);
    pthread_mutex_lock(second);
    pthread_mutex_unlock(second);
    pthread_mutex_unlock(first);
    pthread_join(t, 0);
    free(heap);
    return 0;
}
