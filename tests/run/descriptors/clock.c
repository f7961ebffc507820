// run: --runs 20 --seed 1
// A loop with a timer that expires again and again, until a second has passed: the clock agrees with it.
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timespec begin, now;
    struct itimerspec every = {{0, 250000000}, {0, 250000000}};
    struct epoll_event event = {.events = EPOLLIN};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), epoll = epoll_create1(0);
    uint64_t times, ticks = 0;
    timerfd_settime(timer, 0, &every, NULL);
    epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &event);
    clock_gettime(CLOCK_MONOTONIC, &begin);
    while (ticks < 4) {
        assert(epoll_wait(epoll, &event, 1, -1) == 1);
        assert(read(timer, &times, sizeof times) == sizeof times);
        ticks += times;
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
    assert(now.tv_sec > 0 || now.tv_nsec > begin.tv_nsec);
    printf("ticked\n");
    return 0;
}
