// check:
// A thread that waits for a mutex handles a signal meanwhile.
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>

static sem_t acknowledged;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void on_user(int signal) {
    (void)signal;
    sem_post(&acknowledged);
}

static void *worker(void *argument) {
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return argument;
}

int main(void) {
    pthread_t thread;
    sem_init(&acknowledged, 0, 0);
    signal(SIGUSR1, on_user);
    pthread_mutex_lock(&lock);
    pthread_create(&thread, 0, worker, 0);
    pthread_kill(thread, SIGUSR1);
    sem_wait(&acknowledged);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
