// Two threads print in turn, handed on by semaphores.
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t ping, pong;

static void *answer(void *unused) {
    (void)unused;
    for (int i = 0; i < 5; i++) {
        sem_wait(&pong);
        printf("pong %d\n", i);
        sem_post(&ping);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    int value;
    sem_init(&ping, 0, 1);
    sem_init(&pong, 0, 0);
    pthread_create(&thread, NULL, answer, NULL);
    for (int i = 0; i < 5; i++) {
        sem_wait(&ping);
        printf("ping %d\n", i);
        sem_post(&pong);
    }
    pthread_join(thread, NULL);
    sem_getvalue(&ping, &value);
    printf("%d ", value);
    sem_getvalue(&pong, &value);
    printf("%d %d\n", value, sem_trywait(&pong));
    sem_destroy(&ping);
    sem_destroy(&pong);
    return 0;
}
