// run: --runs 20 --seed 1
// A thread ends with pthread_exit inside the critical section: nobody gets the lock any more.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void give_up(void) { pthread_exit(NULL); }

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock); //~ error[deadlock]
    give_up();
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
