// check: --engine explore
// A timer and a result: the result may be there first, or the timer, or both.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

static int done, result;

static void *worker(void *unused) {
    (void)unused;
    result = 42;
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
    int ready = poll(all, 2, -1);
    assert(ready >= 1);
    assert(all[0].revents || all[1].revents);
    pthread_join(t, NULL);
    assert(result == 42);
    return 0;
}
