// run: --runs 20 --seed 1
// Every way out of the function releases the lock.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int requests;

static void *handle(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (requests == 0) {
        pthread_mutex_unlock(&lock);
        return NULL;
    }
    requests--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, handle, NULL);
    pthread_create(&b, NULL, handle, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
