// check: --engine explore
// An edge-triggered descriptor is read once for each event: what is left is never reported again.
#include <pthread.h>
#include <sys/epoll.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *unused) {
    (void)unused;
    write(ends[1], "ab", 2);
    return NULL;
}

int main(void) {
    pthread_t t;
    struct epoll_event event = {.events = EPOLLIN | EPOLLET};
    int epoll = epoll_create1(0);
    pipe(ends);
    epoll_ctl(epoll, EPOLL_CTL_ADD, ends[0], &event);
    pthread_create(&t, NULL, writer, NULL);
    for (int left = 2; left > 0;) {
        char c;
        epoll_wait(epoll, &event, 1, -1); //~ error[deadlock]
        left -= (int)read(ends[0], &c, 1);
    }
    pthread_join(t, NULL);
    return 0;
}
