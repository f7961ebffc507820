// check:
// The worker blocks the signal for the process, perhaps before it has handled it: it stays pending, and the first thread
// handles it when it no longer blocks it.
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t flag;
static sigset_t set;

static void handle(int signal) {
    (void)signal;
    flag = 1;
}

static void *work(void *unused) {
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    signal(SIGUSR1, handle);
    pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    kill(getpid(), SIGUSR1);
    pthread_join(thread, NULL);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    assert(flag);
    return 0;
}
