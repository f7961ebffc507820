// check:
// A signal for the process reaches any thread that does not block it. Here that may be the worker, later than the assertion.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t flag;

static void handle(int signal) {
    (void)signal;
    flag = 1;
}

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    kill(getpid(), SIGUSR1);
    assert(flag); //~ error[assert]
    pthread_join(thread, NULL);
    while (!flag)
        ;
    return 0;
}
