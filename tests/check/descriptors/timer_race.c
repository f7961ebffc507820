// check: --engine explore
// When the timer has expired, the worker may still be writing.
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static int done, result;

static void *worker(void *unused) {
    (void)unused;
    result = 42; //~ error[race]
    eventfd_write(done, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct itimerspec limit = {{0, 0}, {1, 0}};
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    done = eventfd(0, 0);
    pthread_create(&t, NULL, worker, NULL);
    timerfd_settime(timer, 0, &limit, NULL);
    struct pollfd all[] = {{done, POLLIN, 0}, {timer, POLLIN, 0}};
    poll(all, 2, -1);
    int seen = result;
    pthread_join(t, NULL);
    return seen == 1;
}
