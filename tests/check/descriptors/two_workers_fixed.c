// check: --engine explore
// Two threads wait for the same descriptor; EPOLLONESHOT tells only one of them.
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

static int epoll, requests, served;

static void *worker(void *unused) {
    struct epoll_event event;
    eventfd_t count;
    (void)unused;
    if (epoll_wait(epoll, &event, 1, 0) == 1) {
        served++;
        eventfd_read(requests, &count);
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT};
    epoll = epoll_create1(0);
    requests = eventfd(1, EFD_NONBLOCK);
    epoll_ctl(epoll, EPOLL_CTL_ADD, requests, &event);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
