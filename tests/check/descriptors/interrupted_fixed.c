// check: --engine explore
// poll begins again after a handler.
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>

static volatile sig_atomic_t seen;

static void handler(int signal) {
    seen = signal;
}

static void *writer(void *fd) {
    eventfd_write(*(int *)fd, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    int fd = eventfd(0, 0);
    struct pollfd one = {fd, POLLIN, 0};
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    sigaction(SIGTERM, &action, NULL);
    pthread_create(&t, NULL, writer, &fd);
    int ready;
    while ((ready = poll(&one, 1, -1)) < 0)
        assert(seen == SIGTERM);
    assert(ready == 1);
    pthread_join(t, NULL);
    return 0;
}
