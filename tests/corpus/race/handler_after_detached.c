// The functions of atexit are called when the last thread has ended, which main has left the program to: also one that nobody
// can join is through with what they use. If main returns, they are called while it may still run.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int data;
static atomic_int steps;

static void report(void) {
    data++;
}

static void *worker(void *unused) {
    data++;
    atomic_fetch_add_explicit(&steps, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t thread;
    atexit(report);
    pthread_create(&thread, NULL, worker, NULL);
    pthread_detach(thread);
#ifdef MISTAKE
    return 0;
#endif
    pthread_exit(NULL);
}
