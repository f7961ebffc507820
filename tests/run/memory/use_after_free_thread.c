// run: --runs 50 --seed 1
// The worker frees the job, and main still looks at it after the join.
#include <pthread.h>
#include <stdlib.h>

struct job {
    int input, output;
};

static void *work(void *argument) {
    struct job *job = argument;
    job->output = job->input + 1;
    free(job);
    return NULL;
}

int main(void) {
    struct job *job = malloc(sizeof *job);
    pthread_t thread;
    job->input = 1;
    pthread_create(&thread, NULL, work, job);
    pthread_join(thread, NULL);
    int output = job->output; //~ error[memory]
    return output != 2;
}
