// check:
// A handler ends a timed wait for a semaphore, also with SA_RESTART.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <time.h>

static pthread_t waiter;
static sem_t posted;

static void handle(int signal) {
    (void)signal;
}

static void *interrupt(void *unused) {
    pthread_kill(waiter, SIGUSR1);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec until;
    struct sigaction action = {.sa_handler = handle, .sa_flags = SA_RESTART};
    waiter = pthread_self();
    sem_init(&posted, 0, 0);
    sigaction(SIGUSR1, &action, NULL);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 5;
    pthread_create(&thread, NULL, interrupt, NULL);
    int result = sem_timedwait(&posted, &until);
    assert(result == -1 && errno == ETIMEDOUT); //~ error[assert]
    pthread_join(thread, NULL);
    return 0;
}
