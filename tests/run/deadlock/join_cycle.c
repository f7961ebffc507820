// run: --runs 50 --seed 1
// Two threads wait for each other to end.
#include <pthread.h>
#include <semaphore.h>

static pthread_t left, right;
static sem_t started;

static void *join_left(void *unused) {
    (void)unused;
    sem_wait(&started);
    pthread_join(left, NULL); //~ error[deadlock]
    return NULL;
}

static void *join_right(void *unused) {
    (void)unused;
    sem_wait(&started);
    pthread_join(right, NULL);
    return NULL;
}

int main(void) {
    sem_init(&started, 0, 0);
    pthread_create(&left, NULL, join_right, NULL);
    pthread_create(&right, NULL, join_left, NULL);
    sem_post(&started);
    sem_post(&started);
    pthread_exit(NULL);
}
