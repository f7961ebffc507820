// check: --engine explore
// The reader of a connection waits for its end, which the writer makes known.
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2];

static void *server(void *unused) {
    char c;
    int count = 0;
    (void)unused;
    while (read(ends[1], &c, 1) == 1)
        count++;
    c = (char)count;
    write(ends[1], &c, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    char c;
    socketpair(AF_UNIX, SOCK_STREAM, 0, ends);
    pthread_create(&t, NULL, server, NULL);
    write(ends[0], "ab", 2);
    shutdown(ends[0], SHUT_WR);
    read(ends[0], &c, 1);
    pthread_join(t, NULL);
    return 0;
}
