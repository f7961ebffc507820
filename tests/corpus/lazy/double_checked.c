// Double-checked locking, right: the pointer is atomic, stored with release and loaded with acquire. The object is made
// once, and is complete for whoever sees it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *_Atomic instance;
static int made;

static int *get(void) {
    int *seen = atomic_load_explicit(&instance, memory_order_acquire);
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!seen) {
            seen = malloc(sizeof *seen);
            *seen = 42;
            made++;
            atomic_store_explicit(&instance, seen, memory_order_release);
        }
        pthread_mutex_unlock(&lock);
    }
    return seen;
}

static void *user(void *unused) {
    assert(*get() == 42);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, user, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(made == 1);
    free(instance);
    return 0;
}
