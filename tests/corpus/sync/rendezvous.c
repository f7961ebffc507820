// A rendezvous of two threads: each says that it is there, and then waits for the other.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t left_there, right_there;
static int left, right;

static void *go_left(void *unused) {
    left = 1;
    sem_post(&left_there);
    sem_wait(&right_there);
    assert(right == 1);
    return unused;
}

static void *go_right(void *unused) {
    right = 1;
    sem_post(&right_there);
    sem_wait(&left_there);
    assert(left == 1);
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
