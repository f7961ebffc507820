// Fork and join: a thread starts another one for half of its work and waits for it. 2 to the power of DEPTH leaves.
#include <assert.h>
#include <pthread.h>

#ifndef DEPTH
#define DEPTH 2
#endif

struct job {
    int depth, leaves;
};

static void *count(void *argument) {
    struct job *job = argument;
    if (job->depth == 0) {
        job->leaves = 1;
        return NULL;
    }
    struct job left = {job->depth - 1, 0}, right = {job->depth - 1, 0};
    pthread_t thread;
    pthread_create(&thread, NULL, count, &left);
    count(&right);
    pthread_join(thread, NULL);
    job->leaves = left.leaves + right.leaves;
    return NULL;
}

int main(void) {
    struct job job = {DEPTH, 0};
    count(&job);
    assert(job.leaves == 1 << DEPTH);
    return 0;
}
