// run: --runs 50 --seed 1
// The semaphore lets two threads in at once.
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;
static int counter;

static void *count(void *unused) {
    (void)unused;
    sem_wait(&tokens);
    counter++; //~ error[race]
    sem_post(&tokens);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    sem_init(&tokens, 0, 2);
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    sem_destroy(&tokens);
    return counter == 0;
}
