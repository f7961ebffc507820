// A function starts a thread with the address of a local variable, and returns without waiting.
#include <pthread.h>

static pthread_t thread;

static void *read(void *argument) {
    int *number = argument;
    return *number == 7 ? argument : NULL;
}

static void start(void) {
    int number = 7;
    pthread_create(&thread, NULL, read, &number);
}

int main(void) {
    start();
    pthread_join(thread, NULL);
    return 0;
}
