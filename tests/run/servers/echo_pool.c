// run: --runs 100 --seed 1 --connection 2
// An echo server: one thread waits for events and hands connections to workers; the same event may be
// reported twice, so that two workers have the same connection.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#define WORKERS 2
#define QUEUE 8

struct connection {
    int fd;
    size_t echoed;
};

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t filled;
    struct connection *items[QUEUE];
    size_t begin, count;
    int closed;
};

static struct queue jobs = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER};
static pthread_mutex_t stats_lock = PTHREAD_MUTEX_INITIALIZER;
static size_t total, finished;
static int epoll, wake;

static void fail(const char *what) {
    perror(what);
    exit(1);
}

static void push(struct connection *c) {
    pthread_mutex_lock(&jobs.lock);
    if (jobs.count == QUEUE)
        abort();
    jobs.items[(jobs.begin + jobs.count++) % QUEUE] = c;
    pthread_cond_signal(&jobs.filled);
    pthread_mutex_unlock(&jobs.lock);
}

static struct connection *pop(void) {
    struct connection *c = NULL;
    pthread_mutex_lock(&jobs.lock);
    while (jobs.count == 0 && !jobs.closed)
        pthread_cond_wait(&jobs.filled, &jobs.lock);
    if (jobs.count > 0) {
        c = jobs.items[jobs.begin];
        jobs.begin = (jobs.begin + 1) % QUEUE;
        jobs.count--;
    }
    pthread_mutex_unlock(&jobs.lock);
    return c;
}

static void arm(int how, int fd, void *data) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = data};
    if (epoll_ctl(epoll, how, fd, &event) < 0)
        fail("epoll_ctl");
}

static int send_all(int fd, const char *from, size_t count) {
    while (count > 0) {
        ssize_t n = send(fd, from, count, MSG_NOSIGNAL);
        if (n < 0 && errno != EINTR)
            return -1;
        if (n > 0) {
            from += n;
            count -= (size_t)n;
        }
    }
    return 0;
}

// Whether the connection goes on.
static int serve(struct connection *c) {
    char buffer[16];
    for (;;) {
        ssize_t n = recv(c->fd, buffer, sizeof buffer, 0);
        if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            return 1;
        if (n <= 0 || send_all(c->fd, buffer, (size_t)n) < 0)
            return 0;
        c->echoed += (size_t)n;
    }
}

static void *worker(void *unused) {
    struct connection *c;
    (void)unused;
    while ((c = pop())) {
        if (serve(c)) {
            arm(EPOLL_CTL_MOD, c->fd, c);
            continue;
        }
        pthread_mutex_lock(&stats_lock);
        total += c->echoed;
        finished++;
        pthread_mutex_unlock(&stats_lock);
        close(c->fd);
        free(c); //~ error[race]
        eventfd_write(wake, 1);
    }
    return NULL;
}

static int listen_on(int port) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_ANY)};
    int on = 1, fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    if (fd < 0)
        fail("socket");
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 16) < 0)
        fail("bind");
    return fd;
}

static void accept_all(int server) {
    int fd;
    while ((fd = accept4(server, NULL, NULL, SOCK_NONBLOCK)) >= 0) {
        struct connection *c = malloc(sizeof *c);
        if (!c)
            abort();
        c->fd = fd;
        c->echoed = 0;
        arm(EPOLL_CTL_ADD, fd, c);
    }
}

static size_t finished_now(void) {
    pthread_mutex_lock(&stats_lock);
    size_t now = finished;
    pthread_mutex_unlock(&stats_lock);
    return now;
}

int main(void) {
    pthread_t threads[WORKERS];
    struct epoll_event events[4];
    int server = listen_on(7777);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    wake = eventfd(0, EFD_NONBLOCK);
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    events[0] = (struct epoll_event){.events = EPOLLIN, .data.ptr = NULL};
    epoll_ctl(epoll, EPOLL_CTL_ADD, server, &events[0]);
    events[0] = (struct epoll_event){.events = EPOLLIN, .data.ptr = &wake};
    epoll_ctl(epoll, EPOLL_CTL_ADD, wake, &events[0]);
    while (finished_now() < 1) {
        int n = epoll_wait(epoll, events, 4, -1);
        for (int i = 0; i < n; i++) {
            if (!events[i].data.ptr) {
                accept_all(server);
            } else if (events[i].data.ptr == &wake) {
                eventfd_t count;
                eventfd_read(wake, &count);
            } else {
                push(events[i].data.ptr);
            }
        }
    }
    pthread_mutex_lock(&jobs.lock);
    jobs.closed = 1;
    pthread_cond_broadcast(&jobs.filled);
    pthread_mutex_unlock(&jobs.lock);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    printf("%zu bytes\n", total);
    close(server);
    close(wake);
    close(epoll);
    return 0;
}
