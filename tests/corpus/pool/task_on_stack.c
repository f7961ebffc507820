// A task lives on the stack of the function that submits it, which does not wait: the worker may come when the function
// has returned.
#include <pthread.h>
#include <semaphore.h>

static int *task, sum;
static sem_t submitted;

static void *work(void *unused) {
    sem_wait(&submitted);
    sum += *task;
    return unused;
}

static void submit(int number) {
    int local = number;
    task = &local;
    sem_post(&submitted);
}

int main(void) {
    pthread_t worker;
    sem_init(&submitted, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    submit(7);
    pthread_join(worker, NULL);
    return 0;
}
