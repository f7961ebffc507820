// check: --engine explore
// A client and a server of the same program meet by their address: the server listens first.
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address = {.sun_family = AF_UNIX, .sun_path = "/tmp/server"};

static void *client(void *unused) {
    char answer[3] = "";
    int s = socket(AF_UNIX, SOCK_STREAM, 0);
    (void)unused;
    int failed = connect(s, (struct sockaddr *)&address, sizeof address);
    assert(!failed);
    recv(s, answer, 2, MSG_WAITALL);
    assert(strcmp(answer, "ok") == 0);
    close(s);
    return NULL;
}

int main(void) {
    pthread_t t;
    int server = socket(AF_UNIX, SOCK_STREAM, 0);
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 1);
    pthread_create(&t, NULL, client, NULL);
    int s = accept(server, NULL, NULL);
    send(s, "ok", 2, 0);
    close(s);
    pthread_join(t, NULL);
    return 0;
}
