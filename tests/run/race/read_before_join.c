// run: --runs 50 --seed 1
// The result is looked at before the worker has been joined.
#include <pthread.h>

static int result;

static void *worker(void *argument) {
    int n = *(int *)argument;
    result = n * n; //~ error[race]
    return NULL;
}

int main(void) {
    int n = 12;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &n);
    int seen = result;
    pthread_join(thread, NULL);
    return seen == -1;
}
