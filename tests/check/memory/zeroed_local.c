// check: --property use-after-free
// The lock is a local of a block, made of zeros before there is another thread; the thread comes when the block has ended.
#include <pthread.h>

static void *user(void *lock) {
    pthread_mutex_lock(lock); //~ error[memory]
    return NULL;
}

int main(void) {
    pthread_t t;
    {
        pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
        pthread_create(&t, NULL, user, &lock);
    }
    pthread_exit(NULL);
}
