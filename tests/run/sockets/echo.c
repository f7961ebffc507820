// run: --runs 20 --seed 1 --connection 4
// What is sent to the outside is gone; a client of the same program gets its answer.
#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static struct sockaddr_in address;

static void *server(void *listening) {
    for (int left = 2; left > 0; left--) {
        char buffer[8];
        ssize_t n;
        int s = accept(*(int *)listening, NULL, NULL);
        while ((n = read(s, buffer, sizeof buffer)) > 0)
            write(s, buffer, (size_t)n);
        close(s);
    }
    return NULL;
}

int main(void) {
    pthread_t t;
    char answer[5] = "";
    int listening = socket(AF_INET, SOCK_STREAM, 0), s = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_family = AF_INET;
    address.sin_port = htons(7);
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
    bind(listening, (struct sockaddr *)&address, sizeof address);
    listen(listening, 2);
    pthread_create(&t, NULL, server, &listening);
    connect(s, (struct sockaddr *)&address, sizeof address);
    send(s, "ping", 4, 0);
    shutdown(s, SHUT_WR);
    recv(s, answer, 4, MSG_WAITALL);
    pthread_join(t, NULL);
    close(s);
    close(listening);
    printf("%s\n", answer);
    return 0;
}
