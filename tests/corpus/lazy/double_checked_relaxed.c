// Double-checked locking with a relaxed pointer: the pointer does not race, but what it points to does.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object, *_Atomic instance, sum[2];

static void *user(void *argument) {
    int *seen = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!seen) {
        pthread_mutex_lock(&lock);
        seen = atomic_load_explicit(&instance, memory_order_relaxed);
        if (!seen) {
            seen = &object;
            *seen = 42;
            atomic_store_explicit(&instance, seen, memory_order_relaxed);
        }
        pthread_mutex_unlock(&lock);
    }
    *(int *)argument = *seen;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, user, &sum[0]);
    pthread_create(&b, NULL, user, &sum[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return sum[0] + sum[1] == 1;
}
