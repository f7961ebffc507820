// run: --runs 200 --seed 1
// A handler and another thread access the same variable.
#include <pthread.h>
#include <signal.h>

static int requests;

static void on_hangup(int signal) {
    (void)signal;
    requests++;
}

static void *worker(void *argument) {
    requests++; //~ error[race]
    return argument;
}

int main(void) {
    pthread_t thread;
    signal(SIGHUP, on_hangup);
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    return 0;
}
