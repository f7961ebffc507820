// check: --engine explore
// An event loop is told to stop by a flag, and woken.
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/eventfd.h>

static int wake;
static atomic_int stop;

static void *loop(void *unused) {
    struct pollfd one = {wake, POLLIN, 0};
    (void)unused;
    while (!stop) {
        eventfd_t times;
        poll(&one, 1, -1);
        eventfd_read(wake, &times);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    wake = eventfd(0, EFD_NONBLOCK);
    pthread_create(&t, NULL, loop, NULL);
    stop = 1;
    eventfd_write(wake, 1);
    pthread_join(t, NULL);
    return 0;
}
