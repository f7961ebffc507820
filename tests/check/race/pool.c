// check: --property race
// Workers of a pool take tasks under a lock, and add their results to a sum without it.
#include <pthread.h>

enum { TASKS = 2, WORKERS = 2 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next_task, sum;

static void *worker(void *unused) {
    for (int round = 0; round < TASKS; round++) {
        pthread_mutex_lock(&lock);
        int task = next_task < TASKS ? next_task++ : -1;
        pthread_mutex_unlock(&lock);
        if (task < 0)
            break;
        sum += task; //~ error[race]
    }
    return unused;
}

int main(void) {
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, worker, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    return 0;
}
