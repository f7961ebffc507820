// run: --runs 20
// A thread tries in vain to lock a mutex in a local of main, which writes another member meanwhile. Then both wait for ever.
#include <pthread.h>
#include <stdatomic.h>

struct shared {
    pthread_mutex_t lock;
    volatile int number;
};

static atomic_int flag;

static void *wait_for_flag(void *argument) {
    struct shared *shared = argument;
    pthread_mutex_lock(&shared->lock);
    pthread_mutex_unlock(&shared->lock);
    while (!flag)
        ;
    return NULL;
}

int main(void) {
    struct shared shared;
    pthread_t thread;
    pthread_mutex_init(&shared.lock, NULL);
    pthread_mutex_lock(&shared.lock);
    pthread_create(&thread, NULL, wait_for_flag, &shared);
    for (int i = 1; i < 100; i++)
        shared.number = i;
    pthread_mutex_unlock(&shared.lock);
    while (!flag) //~ error[stuck]
        ;
    pthread_join(thread, NULL);
    return 0;
}
