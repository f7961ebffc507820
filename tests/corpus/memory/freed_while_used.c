// The main thread frees the object without waiting for the thread that works with it.
#include <pthread.h>
#include <stdlib.h>

static void *use(void *argument) {
    int *object = argument;
    *object = 2;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *object = malloc(sizeof *object);
    pthread_create(&thread, NULL, use, object);
    free(object);
    pthread_join(thread, NULL);
    return 0;
}
