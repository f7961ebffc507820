// run: --runs 100 --seed 1 --connection 3 --connection 2
// A downloader: threads fetch parts into a buffer; SIGINT stops them, and what has come so far is counted.
#include <errno.h>
#include <netdb.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PARTS 2
#define ROOM 8

struct part {
    pthread_t thread;
    const char *host;
    unsigned char bytes[ROOM];
    size_t count;
    int error;
};

static struct part parts[PARTS];
static atomic_int stopped;
static atomic_int running = PARTS;

static void on_interrupt(int signal) {
    (void)signal;
    stopped = 1;
}

static int connect_to(const char *host) {
    struct addrinfo hints = {.ai_family = AF_UNSPEC, .ai_socktype = SOCK_STREAM}, *all, *one;
    int fd = -1, code = getaddrinfo(host, "http", &hints, &all);
    if (code != 0) {
        fprintf(stderr, "%s: %s\n", host, gai_strerror(code));
        return -1;
    }
    for (one = all; one; one = one->ai_next) {
        fd = socket(one->ai_family, one->ai_socktype, one->ai_protocol);
        if (fd >= 0 && connect(fd, one->ai_addr, one->ai_addrlen) == 0)
            break;
        if (fd >= 0)
            close(fd);
        fd = -1;
    }
    freeaddrinfo(all);
    return fd;
}

static int request(int fd, const char *host) {
    char line[64];
    int length = snprintf(line, sizeof line, "GET /%s\r\n", host);
    return send(fd, line, (size_t)length, MSG_NOSIGNAL) == length ? 0 : -1;
}

static void receive(struct part *p, int fd) {
    while (!stopped && p->count < ROOM) {
        ssize_t n = recv(fd, p->bytes + p->count, ROOM - p->count, 0);
        if (n == 0)
            return;
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            p->error = errno;
            return;
        }
        p->count += (size_t)n;
    }
}

static void *fetch(void *argument) {
    struct part *p = argument;
    int fd = connect_to(p->host);
    if (fd < 0) {
        p->error = ENOENT;
    } else {
        if (request(fd, p->host) == 0)
            receive(p, fd);
        close(fd);
    }
    running--;
    return NULL;
}

int main(void) {
    static const char *const hosts[PARTS] = {"one.example", "two.example"};
    struct sigaction action;
    size_t total = 0;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_interrupt;
    sigaction(SIGINT, &action, NULL);
    for (int i = 0; i < PARTS; i++) {
        parts[i].host = hosts[i];
        pthread_create(&parts[i].thread, NULL, fetch, &parts[i]);
    }
    for (int i = 0; i < PARTS; i++) {
        pthread_join(parts[i].thread, NULL);
        total += parts[i].count;
    }
    if (!stopped && total != 5)
        return 1;
    printf("%s\n", stopped || total == 5 ? "as expected" : "lost");
    return 0;
}
