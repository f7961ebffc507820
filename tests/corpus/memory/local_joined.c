// The same, and the function waits for its thread.
#include <assert.h>
#include <pthread.h>

static void *read(void *argument) {
    int *number = argument;
    assert(*number == 7);
    *number = 8;
    return NULL;
}

static int ask(void) {
    pthread_t thread;
    int number = 7;
    pthread_create(&thread, NULL, read, &number);
    pthread_join(thread, NULL);
    return number;
}

int main(void) {
    assert(ask() == 8);
    return 0;
}
