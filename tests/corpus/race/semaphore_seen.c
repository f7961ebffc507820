// Who waits for a semaphore knows what was done before the post. Who only looks at its value does not.
#include <pthread.h>
#include <semaphore.h>

static int data;
static sem_t done;

static void *worker(void *unused) {
    data = 1;
    sem_post(&done);
    return unused;
}

int main(void) {
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, worker, NULL);
#ifdef MISTAKE
    int value;
    sem_getvalue(&done, &value);
    if (value == 1)
        data = 2;
#else
    sem_wait(&done);
    data = 2;
#endif
    pthread_join(thread, NULL);
    sem_destroy(&done);
    return 0;
}
