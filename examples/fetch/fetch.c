// A download manager. Threads take names from a list and fetch each from a server over a connection of its own. SIGINT ends the
// work early; what was complete is kept.
//
//     fetch [-j DOWNLOADERS] ADDRESS PORT NAME...        writes each file into the current directory
//
// The protocol: the client sends a name and a line feed, the server answers with the length, a line feed and the contents, or with
// a line that is no number. Without arguments, the program starts a small server of its own, fetches all it has and compares.
//
// Bugs to choose with -DBUG=N:
//     1  the client takes what comes first for the whole line
//     2  a socket is closed twice
//     3  the flag that the signal handler sets is an ordinary variable
#include <arpa/inet.h>
#include <assert.h>
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef DOWNLOADERS
#define DOWNLOADERS 2
#endif
#ifndef FILES
#define FILES 2 // of the test
#endif

enum { LINE_SIZE = 128, LARGEST = 1 << 30 };

#if BUG == 3
static bool cancelled;
#else
static atomic_bool cancelled;
#endif

static void on_interrupt(int signal) {
    (void)signal;
    cancelled = true;
}

// ---------------------------------------------------------------------------------------------------------------- sockets

static bool send_all(int socket, const char *data, size_t length) {
    while (length > 0) {
        ssize_t sent = send(socket, data, length, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        data += sent;
        length -= (size_t)sent;
    }
    return true;
}

static ssize_t receive_some(int socket, char *data, size_t size) {
    ssize_t received;
    do
        received = recv(socket, data, size, 0);
    while (received < 0 && errno == EINTR);
    return received;
}

// False: the other side does not send so much.
static bool receive_all(int socket, char *data, size_t length) {
    while (length > 0) {
        ssize_t received = receive_some(socket, data, length);
        if (received <= 0)
            return false;
        data += received;
        length -= (size_t)received;
    }
    return true;
}

// A line without its line feed.
static bool receive_line(int socket, char line[LINE_SIZE]) {
#if BUG == 1
    ssize_t received = receive_some(socket, line, LINE_SIZE - 1);
    if (received <= 0)
        return false;
    line[received] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return true;
#else
    for (size_t length = 0; length < LINE_SIZE; length++) {
        if (receive_some(socket, &line[length], 1) != 1)
            return false;
        if (line[length] == '\n') {
            line[length] = '\0';
            return true;
        }
    }
    return false; // too long
#endif
}

static int connect_to(const struct sockaddr_in *server) {
    int connection = socket(AF_INET, SOCK_STREAM, 0);
    if (connection < 0)
        return -1;
    if (connect(connection, (const struct sockaddr *)server, sizeof *server) != 0) {
        int error = errno;
        close(connection);
        errno = error;
        return -1;
    }
    return connection;
}

// -------------------------------------------------------------------------------------------------------------- downloads

enum state { WAITING, FETCHING, DONE, FAILED };

struct download {
    const char *name;
    enum state state;
    char *data;
    size_t length;
};

struct manager {
    struct sockaddr_in server;

    pthread_mutex_t lock; // protects the states and what follows
    struct download *downloads;
    int count, next;
    int done, failed;
    size_t bytes;
};

// Asks for the file and receives it.
static bool transfer(int connection, struct download *download) {
    char line[LINE_SIZE], *end;
    if (!send_all(connection, download->name, strlen(download->name)) || !send_all(connection, "\n", 1)
        || !receive_line(connection, line))
        return false;
    long length = strtol(line, &end, 10);
    if (end == line || *end != '\0' || length < 0 || length > LARGEST)
        return false;
    char *data = malloc((size_t)length + 1);
    if (!data)
        return false;
    if (!receive_all(connection, data, (size_t)length)) {
        free(data);
        return false;
    }
    data[length] = '\0';
    download->data = data;
    download->length = (size_t)length;
    return true;
}

static bool fetch(const struct manager *manager, struct download *download) {
    int connection = connect_to(&manager->server);
    if (connection < 0) {
        fprintf(stderr, "fetch: %s: %s\n", download->name, strerror(errno));
        return false;
    }
    bool complete = transfer(connection, download);
#if BUG == 2
    if (!complete)
        fprintf(stderr, "fetch: %s: no answer, or not all of it\n", download->name);
    else
        close(connection);
#else
    if (!complete)
        fprintf(stderr, "fetch: %s: no answer, or not all of it\n", download->name);
#endif
    close(connection);
    return complete;
}

static struct download *next_download(struct manager *manager) {
    struct download *download = NULL;
    pthread_mutex_lock(&manager->lock);
    if (manager->next < manager->count && !cancelled) {
        download = &manager->downloads[manager->next++];
        download->state = FETCHING;
    }
    pthread_mutex_unlock(&manager->lock);
    return download;
}

static void *download_files(void *argument) {
    struct manager *manager = argument;
    struct download *download;
    while ((download = next_download(manager))) {
        bool complete = fetch(manager, download);
        pthread_mutex_lock(&manager->lock);
        download->state = complete ? DONE : FAILED;
        if (complete) {
            manager->done++;
            manager->bytes += download->length;
        } else {
            manager->failed++;
        }
        pthread_mutex_unlock(&manager->lock);
    }
    return NULL;
}

static void start(pthread_t *thread, void *(*function)(void *), void *argument) {
    if ((errno = pthread_create(thread, NULL, function, argument))) {
        perror("fetch: pthread_create");
        exit(1);
    }
}

// Fetches all files, or as many as there is time for.
static void run(struct manager *manager, int downloaders) {
    pthread_t *threads = malloc((size_t)downloaders * sizeof *threads);
    if (!threads) {
        perror("fetch: malloc");
        exit(1);
    }
    pthread_mutex_init(&manager->lock, NULL);
    for (int i = 0; i < downloaders; i++)
        start(&threads[i], download_files, manager);
    for (int i = 0; i < downloaders; i++)
        pthread_join(threads[i], NULL);
    pthread_mutex_destroy(&manager->lock);
    free(threads);
    fprintf(stderr, "fetch: %d of %d files, %zu bytes, %d failed%s\n", manager->done, manager->count, manager->bytes,
            manager->failed, cancelled ? ", cancelled" : "");
}

static void free_downloads(struct manager *manager) {
    for (int i = 0; i < manager->count; i++)
        free(manager->downloads[i].data);
    free(manager->downloads);
}

static struct download *new_downloads(const char *const *names, int count) {
    struct download *downloads = calloc((size_t)count, sizeof *downloads);
    if (!downloads) {
        perror("fetch: calloc");
        exit(1);
    }
    for (int i = 0; i < count; i++)
        downloads[i].name = names[i];
    return downloads;
}

static void cancel_on_interrupt(void) {
    struct sigaction action = {.sa_handler = on_interrupt};
    sigemptyset(&action.sa_mask);
    if (sigaction(SIGINT, &action, NULL) != 0)
        perror("fetch: sigaction");
}

// ----------------------------------------------------------------------------------------------------- the test's server

// The file of each name is the name itself. An empty name ends the server.
static void *serve(void *argument) {
    int listener = *(int *)argument;
    bool serving = true;
    while (serving) {
        int connection = accept(listener, NULL, NULL);
        if (connection < 0) {
            assert(errno == EINTR);
            continue;
        }
        char name[LINE_SIZE], length[32];
        if (receive_line(connection, name)) {
            serving = name[0] != '\0';
            snprintf(length, sizeof length, "%zu\n", strlen(name));
            if (!send_all(connection, length, strlen(length)) || !send_all(connection, name, strlen(name)))
                perror("fetch: the server cannot answer");
        }
        close(connection);
    }
    return NULL;
}

static int listen_somewhere(struct sockaddr_in *address) {
    socklen_t size = sizeof *address;
    memset(address, 0, sizeof *address);
    address->sin_family = AF_INET;
    address->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (listener < 0 || bind(listener, (struct sockaddr *)address, sizeof *address) != 0 || listen(listener, 8) != 0
        || getsockname(listener, (struct sockaddr *)address, &size) != 0) {
        perror("fetch: no server");
        exit(1);
    }
    return listener;
}

static void stop_server(const struct sockaddr_in *address) {
    int connection = connect_to(address);
    bool sent = connection >= 0 && send_all(connection, "\n", 1);
    assert(sent);
    close(connection);
}

static int test(void) {
    static const char *const names[] = {"a", "bc", "def", "gh", "i", "jk", "lmn", "op"};
    assert(FILES <= sizeof names / sizeof *names);
    struct manager manager = {.downloads = new_downloads(names, FILES), .count = FILES};
    int listener = listen_somewhere(&manager.server);
    pthread_t server;
    cancel_on_interrupt();
    start(&server, serve, &listener);
    run(&manager, DOWNLOADERS);
    stop_server(&manager.server);
    pthread_join(server, NULL);
    close(listener);

    assert(manager.failed == 0);
    assert(manager.done == FILES || cancelled);
    for (int i = 0; i < FILES; i++)
        assert(manager.downloads[i].state != DONE || strcmp(manager.downloads[i].data, names[i]) == 0);
    free_downloads(&manager);
    return 0;
}

// ------------------------------------------------------------------------------------------------------------------- main

static bool write_file(const struct download *download) {
    FILE *file = fopen(download->name, "wb");
    bool written = file && fwrite(download->data, 1, download->length, file) == download->length;
    if ((file && fclose(file) != 0) || !written) {
        fprintf(stderr, "fetch: %s: %s\n", download->name, strerror(errno));
        return false;
    }
    return true;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return test();
    int downloaders = DOWNLOADERS, option;
    while ((option = getopt(argc, argv, "j:")) != -1)
        downloaders = option == 'j' ? atoi(optarg) : 0;
    struct manager manager = {.server.sin_family = AF_INET};
    int count = argc - optind - 2;
    if (downloaders < 1 || count < 1 || inet_pton(AF_INET, argv[optind], &manager.server.sin_addr) != 1) {
        fprintf(stderr, "usage: fetch [-j DOWNLOADERS] ADDRESS PORT NAME...\n");
        return 2;
    }
    manager.server.sin_port = htons((unsigned short)atoi(argv[optind + 1]));
    manager.downloads = new_downloads((const char *const *)argv + optind + 2, count);
    manager.count = count;
    cancel_on_interrupt();
    run(&manager, downloaders);
    bool complete = manager.done == count;
    for (int i = 0; i < count; i++)
        if (manager.downloads[i].state == DONE && !write_file(&manager.downloads[i]))
            complete = false;
    free_downloads(&manager);
    return complete ? 0 : 1;
}
