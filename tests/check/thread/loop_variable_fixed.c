// check: --property assert,reach-error,lock
// Every thread gets a place of its own.
#include <assert.h>
#include <pthread.h>

#define THREADS 3
static int done[THREADS];
static struct job {
    pthread_t thread;
    int number;
} jobs[THREADS];

static void *work(void *argument) {
    struct job *job = argument;
    done[job->number] = 1;
    return &done[job->number];
}

int main(void) {
    for (int i = 0; i < THREADS; i++) {
        jobs[i].number = i;
        pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        void *result;
        pthread_join(jobs[i].thread, &result);
        assert(result == &done[i] && done[i]);
    }
    return 0;
}
