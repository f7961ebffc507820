// A rendezvous where both wait first.
#include <pthread.h>
#include <semaphore.h>

static sem_t left_there, right_there;

static void *go_left(void *unused) {
    sem_wait(&right_there);
    sem_post(&left_there);
    return unused;
}

static void *go_right(void *unused) {
    sem_wait(&left_there);
    sem_post(&right_there);
    return unused;
}

int main(void) {
    pthread_t a, b;
    sem_init(&left_there, 0, 0);
    sem_init(&right_there, 0, 0);
    pthread_create(&a, NULL, go_left, NULL);
    pthread_create(&b, NULL, go_right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
