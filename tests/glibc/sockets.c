// What sockets give, one thread alone, and addresses as text.
#include "calls.h"
#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

static unsigned events_of(int fd) {
    struct pollfd one = {fd, POLLIN | POLLOUT | POLLRDHUP, 0};
    poll(&one, 1, 0);
    return (unsigned)one.revents;
}
#define EVENTS(fd) printf("call events of %s = %x\n", #fd, events_of(fd))

static void pairs(void) {
    int s[2];
    char buffer[64];
    FAILS(socketpair(AF_INET, SOCK_STREAM, 0, s));
    FAILS(socketpair(77, SOCK_STREAM, 0, s));
    INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, s));
    FAILS(read(s[0], buffer, 4));
    EVENTS(s[0]);
    INT(write(s[0], "hello", 5));
    EVENTS(s[1]);
    INT(recv(s[1], buffer, 2, MSG_PEEK));
    INT(recv(s[1], buffer, 2, 0));
    INT(buffer[1]);
    INT(send(s[0], "more", 4, 0));
    INT(recv(s[1], buffer, sizeof buffer, 0));
    FAILS(recv(s[1], buffer, sizeof buffer, 0));
    FAILS(recv(s[1], buffer, sizeof buffer, MSG_DONTWAIT));
    struct iovec parts[2] = {{buffer, 2}, {buffer + 10, 20}};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = 2};
    strcpy(buffer, "ab");
    strcpy(buffer + 10, "cdefghijklmnopqrstuvwxy");
    INT(sendmsg(s[1], &message, 0));
    memset(buffer, 0, sizeof buffer);
    INT(recvmsg(s[0], &message, 0));
    TEXT(buffer);
    TEXT(buffer + 10);
    INT(shutdown(s[0], SHUT_WR));
    EVENTS(s[0]);
    EVENTS(s[1]);
    INT(read(s[1], buffer, 4));
    signal(SIGPIPE, SIG_IGN);
    FAILS(write(s[0], "x", 1));
    FAILS(send(s[0], "x", 1, MSG_NOSIGNAL));
    INT(write(s[1], "y", 1));
    INT(read(s[0], buffer, 4));
    INT(close(s[1]));
    EVENTS(s[0]);
    INT(read(s[0], buffer, 4));
    FAILS(shutdown(s[0], 7));
    FAILS(lseek(s[0], 0, SEEK_SET));
    struct stat status;
    INT(fstat(s[0], &status));
    INT(S_ISSOCK(status.st_mode));
    INT(close(s[0]));
    FAILS(send(s[0], "x", 1, 0));
    FAILS(recv(0, buffer, 1, 0) == 7);
}

static void errors(void) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(1), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    socklen_t length = sizeof address;
    char c;
    int value, pipes[2];
    FAILS(socket(77, SOCK_STREAM, 0));
    FAILS(socket(AF_INET, SOCK_STREAM, 17));
    FAILS(socket(AF_INET, SOCK_STREAM | 0x100, 0));
    int s = socket(AF_INET, SOCK_STREAM, 0), u = socket(AF_UNIX, SOCK_STREAM, 0);
    EVENTS(s);
    EVENTS(u);
    FAILS(recv(s, &c, 1, 0));
    FAILS(send(s, &c, 1, MSG_NOSIGNAL));
    FAILS(send(u, &c, 1, MSG_NOSIGNAL));
    FAILS(accept(s, 0, 0));
    FAILS(shutdown(s, SHUT_WR));
    FAILS(getpeername(s, (void *)&address, &length));
    FAILS(listen(u, 1));
    FAILS(connect(s, (void *)&address, sizeof address));
    FAILS(connect(s, (void *)&name, sizeof name));
    FAILS(connect(s, (void *)&address, 3));
    FAILS(connect(u, (void *)&name, sizeof name));
    INT(pipe(pipes));
    FAILS(bind(pipes[0], (void *)&address, sizeof address));
    FAILS(listen(99, 1));
    length = sizeof value;
    INT(getsockopt(s, SOL_SOCKET, SO_TYPE, &value, &length));
    INT(value == SOCK_STREAM);
    INT(getsockopt(s, SOL_SOCKET, SO_ERROR, &value, &length));
    INT(value);
    value = 1;
    INT(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &value, sizeof value));
    value = 0;
    INT(getsockopt(s, SOL_SOCKET, SO_REUSEADDR, &value, &length));
    INT(value);
    INT(getsockopt(s, SOL_SOCKET, SO_ACCEPTCONN, &value, &length));
    INT(value);
    INT(setsockopt(s, IPPROTO_TCP, TCP_NODELAY, &length, sizeof length));
    FAILS(setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &value, 2));
    INT(close(s) + close(u) + close(pipes[0]) + close(pipes[1]));
}

static void streams(int family, struct sockaddr *address, socklen_t size) {
    char buffer[16];
    int value;
    socklen_t length = size;
    int server = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0), client = socket(family, SOCK_STREAM, 0);
    INT(bind(server, address, size));
    FAILS(bind(server, address, size));
    if (family == AF_UNIX)
        FAILS(connect(client, address, size));
    INT(listen(server, 5));
    FAILS(accept(server, 0, 0));
    EVENTS(server);
    INT(getsockname(server, address, &length));
    INT(length == size || family == AF_UNIX);
    INT(connect(client, address, size));
    FAILS(connect(client, address, size));
    EVENTS(server);
    EVENTS(client);
    int peer = accept4(server, 0, 0, SOCK_NONBLOCK);
    INT(peer >= 0);
    FAILS(accept(server, 0, 0));
    INT(send(client, "ping", 4, 0));
    INT(recv(peer, buffer, sizeof buffer, 0));
    FAILS(recv(peer, buffer, sizeof buffer, 0));
    INT(send(peer, "pong!", 5, 0));
    INT(recv(client, buffer, 5, MSG_WAITALL));
    INT(shutdown(client, SHUT_WR));
    INT(recv(peer, buffer, sizeof buffer, 0));
    EVENTS(peer);
    INT(close(peer));
    INT(recv(client, buffer, sizeof buffer, 0));
    INT(close(client));
    int other = socket(family, SOCK_STREAM, 0);
    FAILS(bind(other, address, size));
    INT(close(other));
    client = socket(family, SOCK_STREAM | SOCK_NONBLOCK, 0);
    FAILS(connect(client, address, size));
    EVENTS(client);
    length = sizeof value;
    INT(getsockopt(client, SOL_SOCKET, SO_ERROR, &value, &length));
    INT(value);
    INT(close(server));
    INT(close(client));
    struct timeval little = {0, 1000};
    int s[2];
    INT(socketpair(AF_UNIX, SOCK_STREAM, 0, s));
    INT(setsockopt(s[0], SOL_SOCKET, SO_RCVTIMEO, &little, sizeof little));
    FAILS(recv(s[0], buffer, 1, 0));
    INT(close(s[0]) + close(s[1]));
}

static void texts(void) {
    static const char *const four[] = {"127.0.0.1", "0.0.0.0", "255.255.255.255", "256.1.1.1", "1.2.3", "1.2.3.4.5",
                                       "01.2.3.4", "1.2.3.4 ", "", "a.b.c.d", "1..2.3", "192.168.1.10"};
    static const char *const six[] = {"::", "::1", "1::", "fe80::1", "1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7", "1::2::3",
                                      "::ffff:1.2.3.4", "::1.2.3.4", "12345::", "g::", "1:0:0:2:0:0:0:3", ":1", "1:",
                                      "2001:DB8::ff00:42:8329", "1:2:3:4:5:6:7::", "1:2:3:4:5:6:1.2.3.4", "0:0:1::"};
    char text[64];
    unsigned char bytes[16];
    for (size_t i = 0; i < COUNT(four); i++) {
        INT(inet_pton(AF_INET, four[i], bytes));
        if (inet_pton(AF_INET, four[i], bytes) == 1)
            TEXT(inet_ntop(AF_INET, bytes, text, sizeof text));
    }
    for (size_t i = 0; i < COUNT(six); i++) {
        INT(inet_pton(AF_INET6, six[i], bytes));
        if (inet_pton(AF_INET6, six[i], bytes) == 1)
            TEXT(inet_ntop(AF_INET6, bytes, text, sizeof text));
    }
    FAILS(inet_pton(77, "1.2.3.4", bytes));
    inet_pton(AF_INET, "10.20.30.40", bytes);
    FAILS(inet_ntop(AF_INET, bytes, text, 11) == 0);
    FAILS(inet_ntop(AF_INET, bytes, text, 12) == text);
    FAILS(inet_ntop(77, bytes, text, 12) == 0);
    INT(htons(0x1234) == 0x3412);
    LONG(ntohl(0x01020304));
    INT(inet_addr("1.2.3.4") == htonl(0x01020304));
    INT(inet_addr("1.2.3.400") == INADDR_NONE);
    struct in_addr address = {htonl(0x7f000001)};
    TEXT(inet_ntoa(address));
}

static void names(void) {
    struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM}, *found = 0;
    INT(getaddrinfo("127.0.0.1", "8080", &hints, &found));
    INT(found->ai_family);
    INT(found->ai_socktype);
    INT(found->ai_protocol);
    INT(found->ai_addrlen);
    INT(ntohs(((struct sockaddr_in *)found->ai_addr)->sin_port));
    TEXT(inet_ntoa(((struct sockaddr_in *)found->ai_addr)->sin_addr));
    freeaddrinfo(found);
    hints.ai_flags = AI_PASSIVE;
    INT(getaddrinfo(0, "80", &hints, &found));
    TEXT(inet_ntoa(((struct sockaddr_in *)found->ai_addr)->sin_addr));
    freeaddrinfo(found);
    INT(getaddrinfo(0, 0, &hints, &found));
    hints.ai_flags = AI_NUMERICHOST;
    INT(getaddrinfo("localhost", "80", &hints, &found));
    hints.ai_flags = AI_NUMERICSERV;
    INT(getaddrinfo("127.0.0.1", "http", &hints, &found));
    hints.ai_family = 77;
    INT(getaddrinfo("127.0.0.1", "80", &hints, &found));
    for (int i = -13; i <= 1; i++)
        if (i != -2 && i != 0)
            TEXT(gai_strerror(i));
}

int main(void) {
    struct sockaddr_un name = {.sun_family = AF_UNIX, .sun_path = "socket"};
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    pairs();
    errors();
    unlink("socket");
    streams(AF_UNIX, (void *)&name, sizeof name);
    FAILS(access("socket", F_OK));
    INT(unlink("socket"));
    streams(AF_INET, (void *)&address, sizeof address);
    texts();
    names();
    return 0;
}
