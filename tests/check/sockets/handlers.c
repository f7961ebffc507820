// check: --engine explore --connection 1 --connection 1
// A thread for each connection, which count without a lock. That the server waits for more is no deadlock.
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

static int served;

static void *handle(void *client) {
    char c;
    int s = (int)(intptr_t)client;
    if (read(s, &c, 1) == 1)
        served++; //~ error[race]
    close(s);
    return NULL;
}

int main(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
    int server = socket(AF_INET, SOCK_STREAM, 0);
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 8);
    for (;;) {
        pthread_t t;
        int client = accept(server, NULL, NULL);
        pthread_create(&t, NULL, handle, (void *)(intptr_t)client);
        pthread_detach(t);
    }
}
