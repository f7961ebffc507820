// run: --runs 50 --seed 1 --property use-after-free
// The owner frees the connection while the worker is about to use it once more.
#include <pthread.h>
#include <stdlib.h>

struct connection {
    int requests;
};

static void *serve(void *argument) {
    struct connection *connection = argument;
    for (int i = 0; i < 3; i++)
        connection->requests++; //~ error[memory]
    return NULL;
}

int main(void) {
    struct connection *connection = calloc(1, sizeof *connection);
    pthread_t thread;
    pthread_create(&thread, NULL, serve, connection);
    free(connection);
    pthread_join(thread, NULL);
    return 0;
}
