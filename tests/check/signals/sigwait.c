// check:
// All threads block the signals; one waits for them.
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int reloads, stop;

static void *wait_for_signals(void *set) {
    int signal;
    do {
        sigwait(set, &signal);
        assert(signal == SIGHUP || signal == SIGTERM);
        pthread_mutex_lock(&lock);
        if (signal == SIGHUP)
            reloads++;
        else
            stop = 1;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    } while (signal != SIGTERM);
    return 0;
}

int main(void) {
    sigset_t set;
    pthread_t thread;
    sigemptyset(&set);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGTERM);
    pthread_sigmask(SIG_BLOCK, &set, 0);
    pthread_create(&thread, 0, wait_for_signals, &set);
    pthread_mutex_lock(&lock);
    while (!stop)
        pthread_cond_wait(&changed, &lock);
    assert(reloads <= 1);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, 0);
    return 0;
}
