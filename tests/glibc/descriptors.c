// What poll, select, epoll, eventfd, timerfd and pipes that do not wait give, one thread alone.
#include "calls.h"
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

static void show_poll(const char *what, struct pollfd *all, int count, int result) {
    printf("call %s = %d:", what, result);
    for (int i = 0; i < count; i++)
        printf(" %x", (unsigned)all[i].revents);
    printf("\n");
}
#define POLL(fds, count, time) show_poll("poll " #count, fds, count, poll(fds, count, time))

static void pipes(void) {
    int ends[2], more[2];
    char buffer[8192];
    memset(buffer, 'x', sizeof buffer);
    INT(pipe2(ends, O_NONBLOCK));
    INT(pipe(more));
    struct pollfd all[3] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}, {-1, POLLIN, 7}};
    FAILS(read(ends[0], buffer, 1));
    POLL(all, 3, 0);
    POLL(all, 1, 0);
    INT(write(ends[1], "abc", 3));
    POLL(all, 3, -1);
    all[0].events = POLLOUT;
    POLL(all, 1, 0);
    all[0].events = POLLIN | POLLRDNORM;
    POLL(all, 1, 5);
    INT(read(ends[0], buffer, 2));
    INT(read(ends[0], buffer, 2));
    FAILS(read(ends[0], buffer, 2));
    long total = 0;
    for (long n; (n = write(ends[1], buffer, 4096)) > 0;)
        total += n;
    LONG(total);
    FAILS(write(ends[1], buffer, 1));
    POLL(all, 2, 0);
    while (read(ends[0], buffer, 4096) > 0)
        ;
    POLL(all, 2, 0);
    INT(close(ends[1]));
    all[1].fd = -5;
    POLL(all, 2, -1);
    all[0].events = 0;
    POLL(all, 1, -1);
    INT(read(ends[0], buffer, 2));
    all[1].fd = ends[1];
    POLL(all, 2, -1);
    signal(SIGPIPE, SIG_IGN);
    all[0].fd = more[0];
    all[1].fd = more[1];
    all[0].events = POLLIN;
    all[1].events = POLLOUT;
    INT(close(more[0]));
    all[0].fd = -1;
    POLL(all, 2, -1);
    FAILS(write(more[1], "x", 1));
    INT(fcntl(more[1], F_GETFL) & O_NONBLOCK);
    INT(fcntl(more[1], F_SETFL, fcntl(more[1], F_GETFL) | O_NONBLOCK));
    INT((fcntl(more[1], F_GETFL) & O_NONBLOCK) != 0);
    INT(close(more[1]));
    INT(close(ends[0]));
    INT(poll(0, 0, 0));
    INT(poll(0, 0, 3));
    struct timespec bad = {0, 1000000000}, none = {0, 0};
    FAILS(ppoll(all, 0, &bad, 0));
    FAILS(ppoll(all, 0, &none, 0));
}

static void counters(void) {
    uint64_t value = 77;
    FAILS(eventfd(0, 12345));
    int fd = eventfd(3, EFD_NONBLOCK), semaphore = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK | EFD_CLOEXEC);
    struct pollfd all[2] = {{fd, POLLIN | POLLOUT, 0}, {semaphore, POLLIN | POLLOUT, 0}};
    POLL(all, 2, -1);
    FAILS(read(fd, &value, 7));
    FAILS(write(fd, &value, 4));
    INT(read(fd, &value, 8));
    LONG(value);
    FAILS(read(fd, &value, 8));
    FAILS(eventfd_read(fd, &value));
    POLL(all, 2, -1);
    INT(eventfd_write(fd, 5));
    INT(eventfd_write(fd, 6));
    INT(eventfd_read(fd, &value));
    LONG(value);
    value = UINT64_MAX;
    FAILS(write(fd, &value, 8));
    INT(eventfd_write(fd, UINT64_MAX - 1));
    POLL(all, 1, -1);
    FAILS(eventfd_write(fd, 1));
    INT(eventfd_write(fd, 0));
    value = 0;
    INT(eventfd_read(fd, &value));
    INT(value == UINT64_MAX - 1);
    for (int i = 0; i < 3; i++) {
        FAILS(eventfd_read(semaphore, &value));
        LONG(value);
    }
    INT(close(fd));
    FAILS(eventfd_write(fd, 1));
    INT(close(semaphore));
}

static void show_set(const char *what, fd_set *set) {
    printf("call %s =", what);
    for (int i = 0; i < 12; i++)
        printf("%d", FD_ISSET(i, set) != 0);
    printf("\n");
}

static void selects(void) {
    int ends[2];
    fd_set in, out;
    struct timeval none = {0, 0}, some = {0, 2000}, bad = {-1, 0};
    INT(pipe(ends));
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(ends[0], &in);
    FD_SET(ends[1], &out);
    INT(select(ends[1] + 1, &in, &out, 0, 0));
    show_set("in", &in);
    show_set("out", &out);
    FD_SET(ends[0], &in);
    INT(select(ends[1] + 1, &in, 0, 0, &none));
    show_set("in", &in);
    FD_SET(ends[0], &in);
    INT(select(ends[1] + 1, &in, 0, 0, &some));
    LONG(some.tv_sec);
    LONG(some.tv_usec);
    INT(write(ends[1], "x", 1));
    FD_SET(ends[0], &in);
    INT(select(ends[0], &in, 0, 0, &none));
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    FD_SET(ends[1], &in);
    FD_SET(ends[0], &out);
    INT(select(ends[1] + 1, &in, &out, 0, 0));
    show_set("in", &in);
    show_set("out", &out);
    FD_SET(11, &in);
    FAILS(select(12, &in, 0, 0, 0));
    show_set("in", &in);
    FAILS(select(-1, &in, 0, 0, 0));
    FAILS(select(0, 0, 0, 0, &bad));
    INT(select(0, 0, 0, 0, &none));
    struct timespec little = {0, 1000};
    INT(pselect(0, 0, 0, 0, &little, 0));
    INT(close(ends[1]));
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    INT(select(ends[0] + 1, &in, 0, 0, 0));
    show_set("in", &in);
    INT(close(ends[0]));
}

static void show_events(const char *what, int result, struct epoll_event *events) {
    printf("call %s = %d:", what, result);
    for (int i = 0; i < result; i++)
        printf(" %x/%d", events[i].events, (int)events[i].data.u32);
    printf("\n");
}
#define EPOLL(epoll, most, time) show_events("epoll_wait " #most, epoll_wait(epoll, events, most, time), events)

static int watch(int epoll, int how, int fd, unsigned events, unsigned data) {
    struct epoll_event event = {.events = events, .data.u32 = data};
    return epoll_ctl(epoll, how, fd, &event);
}

static void epolls(void) {
    struct epoll_event events[8];
    int ends[2], epoll = epoll_create1(0), other = epoll_create(1);
    char buffer[16];
    FAILS(epoll_create(0));
    FAILS(epoll_create1(1));
    INT(pipe2(ends, O_NONBLOCK));
    INT(watch(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN, 1));
    FAILS(watch(epoll, EPOLL_CTL_ADD, ends[0], EPOLLIN, 1));
    FAILS(watch(epoll, EPOLL_CTL_MOD, ends[1], EPOLLIN, 1));
    FAILS(watch(epoll, EPOLL_CTL_DEL, ends[1], EPOLLIN, 1));
    FAILS(watch(epoll, EPOLL_CTL_ADD, epoll, EPOLLIN, 1));
    FAILS(watch(epoll, EPOLL_CTL_ADD, 99, EPOLLIN, 1));
    FAILS(watch(99, EPOLL_CTL_ADD, ends[0], EPOLLIN, 1));
    FAILS(watch(ends[0], EPOLL_CTL_ADD, ends[1], EPOLLIN, 1));
    FAILS(watch(epoll, 17, ends[0], EPOLLIN, 1));
    FAILS(epoll_wait(epoll, events, 0, 0));
    FAILS(epoll_wait(99, events, 1, 0));
    FAILS(epoll_wait(ends[0], events, 1, 0));
    EPOLL(epoll, 8, 0);
    EPOLL(epoll, 8, 2);
    INT(write(ends[1], "ab", 2));
    EPOLL(epoll, 8, -1);
    EPOLL(epoll, 8, -1);
    struct pollfd one = {epoll, POLLIN, 0};
    POLL(&one, 1, 0);
    INT(watch(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLET, 2));
    EPOLL(epoll, 8, 0);
    EPOLL(epoll, 8, 0);
    POLL(&one, 1, 0);
    INT(write(ends[1], "c", 1));
    EPOLL(epoll, 8, 0);
    INT(read(ends[0], buffer, 1));
    EPOLL(epoll, 8, 0);
    INT(read(ends[0], buffer, 16));
    EPOLL(epoll, 8, 0);
    INT(watch(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT, 3));
    INT(write(ends[1], "d", 1));
    EPOLL(epoll, 1, 0);
    EPOLL(epoll, 1, 0);
    INT(write(ends[1], "e", 1));
    EPOLL(epoll, 1, 0);
    INT(watch(epoll, EPOLL_CTL_MOD, ends[0], EPOLLIN | EPOLLONESHOT, 4));
    EPOLL(epoll, 1, 0);
    INT(watch(other, EPOLL_CTL_ADD, ends[0], EPOLLIN, 5));
    EPOLL(other, 4, -1);
    int copy = dup(ends[0]);
    INT(close(ends[0]));
    EPOLL(other, 4, -1);
    INT(close(copy));
    EPOLL(other, 4, 0);
    INT(close(ends[1]));
    INT(pipe2(ends, O_NONBLOCK));
    INT(watch(other, EPOLL_CTL_ADD, ends[0], EPOLLIN | EPOLLET, 6));
    INT(close(ends[1]));
    EPOLL(other, 4, -1);
    EPOLL(other, 4, 0);
    INT(watch(other, EPOLL_CTL_DEL, ends[0], 0, 0));
    EPOLL(other, 4, 0);
    INT(close(ends[0]));
    int fd = eventfd(0, 0);
    INT(watch(other, EPOLL_CTL_ADD, fd, EPOLLIN | EPOLLOUT, 7));
    EPOLL(other, 4, -1);
    INT(eventfd_write(fd, 1));
    EPOLL(other, 4, -1);
    INT(close(fd));
    INT(close(other));
    INT(close(epoll));
}

static void timers(void) {
    struct itimerspec spec = {{0, 0}, {0, 1000000}}, before = {{1, 1}, {1, 1}}, bad = {{0, 0}, {0, 1000000000}};
    uint64_t times = 0;
    FAILS(timerfd_create(12345, 0));
    FAILS(timerfd_create(CLOCK_MONOTONIC, 12345));
    int fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK), pipes[2];
    INT(pipe(pipes));
    FAILS(read(fd, &times, 8));
    FAILS(timerfd_settime(99, 0, &spec, 0));
    FAILS(timerfd_settime(pipes[0], 0, &spec, 0));
    FAILS(timerfd_settime(fd, 0, &bad, 0));
    FAILS(timerfd_settime(fd, 64, &spec, 0));
    FAILS(timerfd_gettime(pipes[0], &before));
    struct pollfd one = {fd, POLLIN | POLLOUT, 0};
    POLL(&one, 1, 0);
    INT(timerfd_settime(fd, 0, &spec, &before));
    LONG(before.it_value.tv_sec);
    LONG(before.it_value.tv_nsec);
    LONG(before.it_interval.tv_sec);
    POLL(&one, 1, -1);
    FAILS(read(fd, &times, 4));
    FAILS(write(fd, &times, 8));
    INT(read(fd, &times, 8));
    LONG(times);
    FAILS(read(fd, &times, 8));
    INT(timerfd_gettime(fd, &before));
    LONG(before.it_value.tv_sec + before.it_value.tv_nsec);
    spec.it_value.tv_sec = 100;
    INT(timerfd_settime(fd, 0, &spec, 0));
    INT(timerfd_gettime(fd, &before));
    INT(before.it_value.tv_sec >= 99);
    spec.it_value.tv_sec = spec.it_value.tv_nsec = 0;
    INT(timerfd_settime(fd, 0, &spec, &before));
    INT(before.it_value.tv_sec >= 99);
    POLL(&one, 1, 3);
    INT(close(fd));
    fd = timerfd_create(CLOCK_REALTIME, 0);
    spec.it_value.tv_sec = 1000;
    INT(timerfd_settime(fd, TFD_TIMER_ABSTIME, &spec, 0));
    INT(read(fd, &times, 8));
    LONG(times);
    INT(close(fd));
}

int main(void) {
    pipes();
    counters();
    selects();
    epolls();
    timers();
    return 0;
}
