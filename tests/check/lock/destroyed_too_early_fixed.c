// check: --property lock
// The mutex is destroyed when all its users have been joined.
#include <pthread.h>

static pthread_mutex_t lock;
static int users = 2;

static void *use(void *unused) {
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    pthread_mutex_destroy(&lock);
    return 0;
}
