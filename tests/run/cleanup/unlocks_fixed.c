// run: --runs 20 --seed 1
// The cleanup handler unlocks when the thread ends with pthread_exit inside the critical section.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void give_up(void) { pthread_exit(NULL); }
static void unlock(void *mutex) { pthread_mutex_unlock(mutex); }

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    give_up();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
