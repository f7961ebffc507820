// run: --runs 50 --seed 1
// The result is looked at after the worker has been joined.
#include <pthread.h>

static int result;

static void *worker(void *argument) {
    int n = *(int *)argument;
    result = n * n;
    return NULL;
}

int main(void) {
    int n = 12;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, &n);
    pthread_join(thread, NULL);
    int seen = result;
    return seen == -1;
}
