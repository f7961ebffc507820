// run: --runs 50 --seed 1
// The buffer is freed after the thread that writes to it was joined.
#include <pthread.h>
#include <stdlib.h>

static void *fill(void *argument) {
    char *buffer = argument;
    buffer[0] = 'x';
    return NULL;
}

int main(void) {
    char *buffer = malloc(16);
    pthread_t thread;
    pthread_create(&thread, NULL, fill, buffer);
    pthread_join(thread, NULL);
    free(buffer);
    return 0;
}
