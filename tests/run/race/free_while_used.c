// run: --runs 50 --seed 2
// The buffer is freed without waiting for the thread that still writes to it.
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
    free(buffer); //~ error[race]
    pthread_join(thread, NULL);
    return 0;
}
