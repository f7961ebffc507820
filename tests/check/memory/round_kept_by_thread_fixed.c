// check: --property memory
// The thread has ended when its argument does.
#include <pthread.h>

static void *worker(void *argument) {
    int *number = argument;
    return *number > 1 ? number : 0;
}

int main(void) {
    for (int i = 0; i < 2; i++) {
        int number = i;
        pthread_t thread;
        pthread_create(&thread, 0, worker, &number);
        pthread_join(thread, 0);
    }
    return 0;
}
