// Double-checked locking with a plain pointer: its first check races with the store.
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int object, *instance;

static void *user(void *unused) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            object = 42;
            instance = &object;
        }
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
