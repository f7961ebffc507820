// run: --runs 50 --seed 1
// Two threads wait at the gate, and the broadcast lets both through.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t opened = PTHREAD_COND_INITIALIZER;
static bool open;

static void *pass(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!open)
        pthread_cond_wait(&opened, &lock);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pass, NULL);
    pthread_create(&b, NULL, pass, NULL);
    pthread_mutex_lock(&lock);
    open = true;
    pthread_cond_broadcast(&opened);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
