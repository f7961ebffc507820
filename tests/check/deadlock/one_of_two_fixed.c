// check: --property deadlock
// Two threads wait for the gate to open, and all that wait are woken.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static int is_open;

static void *pass(void *unused) {
    pthread_mutex_lock(&lock);
    while (!is_open)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pass, NULL);
    pthread_create(&b, NULL, pass, NULL);
    pthread_mutex_lock(&lock);
    is_open = 1;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
