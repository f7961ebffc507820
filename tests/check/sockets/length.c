// check: --engine explore --connection 2
// The outside says how long its message is, and is believed.
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    unsigned char head[2] = {0}, line[8];
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(7)};
    int server = socket(AF_INET, SOCK_STREAM, 0);
    bind(server, (struct sockaddr *)&address, sizeof address);
    listen(server, 1);
    int client = accept(server, NULL, NULL);
    if (recv(client, head, 2, MSG_WAITALL) == 2)
        line[head[0] % 9] = head[1]; //~ error[memory]
    close(client);
    close(server);
    return 0;
}
