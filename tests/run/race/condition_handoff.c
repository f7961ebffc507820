// run: --runs 50 --seed 1
// The consumer waits for the item properly, and then reads it without the lock.
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t available = PTHREAD_COND_INITIALIZER;
static bool full;
static int item;

static void *produce(void *unused) {
    (void)unused;
    for (int i = 1; i <= 2; i++) {
        pthread_mutex_lock(&lock);
        item = i;
        full = true;
        pthread_cond_signal(&available);
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, produce, NULL);
    pthread_mutex_lock(&lock);
    while (!full)
        pthread_cond_wait(&available, &lock);
    pthread_mutex_unlock(&lock);
    int seen = item; //~ error[race]
    pthread_join(thread, NULL);
    return seen == 0;
}
