// A barber with a condition variable who goes to sleep without looking whether somebody is there: the customer that
// came early has rung already.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t bell = PTHREAD_COND_INITIALIZER;
static int waiting;

static void *customer(void *unused) {
    pthread_mutex_lock(&lock);
    waiting = 1;
    pthread_cond_signal(&bell);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, customer, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&bell, &lock);
    waiting = 0;
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
