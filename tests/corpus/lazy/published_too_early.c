// The pointer is stored before the object is filled in: another thread finds it empty.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int object;
static atomic_int *_Atomic instance;

static void *user(void *unused) {
    if (!instance) {
        pthread_mutex_lock(&lock);
        if (!instance) {
            instance = &object;
            object = 42;
        }
        pthread_mutex_unlock(&lock);
    }
    assert(*instance == 42);
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
