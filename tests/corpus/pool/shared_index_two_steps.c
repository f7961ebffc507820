// The counter is read and raised in two steps: a task is done twice.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define TASKS 2

static atomic_int next, done[TASKS];

static void *work(void *unused) {
    int task;
    while ((task = next) < TASKS) {
        next = task + 1;
        assert(done[task]++ == 0);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
