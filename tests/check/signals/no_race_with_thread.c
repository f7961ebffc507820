// check:
// The same with a lock-free atomic.
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int requests;

static void on_hangup(int signal) {
    (void)signal;
    requests++;
}

static void *worker(void *argument) {
    requests++;
    return argument;
}

int main(void) {
    pthread_t thread;
    signal(SIGHUP, on_hangup);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
