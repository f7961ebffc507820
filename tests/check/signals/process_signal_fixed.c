// check:
// The worker may end before it handles the signal for the process; then the first thread does.
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
    pthread_join(thread, NULL);
    assert(flag);
    while (!flag)
        ;
    return 0;
}
