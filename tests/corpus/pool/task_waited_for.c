// The repair: the function waits until its task is done.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static int *task, sum;
static sem_t submitted, done;

static void *work(void *unused) {
    sem_wait(&submitted);
    sum += *task;
    sem_post(&done);
    return unused;
}

static void submit(int number) {
    int local = number;
    task = &local;
    sem_post(&submitted);
    sem_wait(&done);
}

int main(void) {
    pthread_t worker;
    sem_init(&submitted, 0, 0);
    sem_init(&done, 0, 0);
    pthread_create(&worker, NULL, work, NULL);
    submit(7);
    assert(sum == 7);
    pthread_join(worker, NULL);
    return 0;
}
