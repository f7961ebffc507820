// check: --engine explore --connection 3
// With MSG_WAITALL, recv gives a whole message.
#include <assert.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    char message[3];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7)};
    int server = socket(AF_INET, SOCK_STREAM, 0);
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 1);
    int client = accept(server, NULL, NULL);
    ssize_t count = recv(client, message, sizeof message, MSG_WAITALL);
    assert(count == 3);
    close(client);
    close(server);
    return 0;
}
