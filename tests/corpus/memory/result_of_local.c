// A thread returns the address of a local variable of its own, which is gone when it is read.
#include <pthread.h>

static void *make(void *argument) {
    int local = 7;
    int **result = argument;
    *result = &local;
    return NULL;
}

int main(void) {
    pthread_t thread;
    int *result, copy;
    pthread_create(&thread, NULL, make, &result);
    pthread_join(thread, NULL);
    copy = *result;
    return copy == 3;
}
