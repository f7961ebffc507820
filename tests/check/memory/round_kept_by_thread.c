// check: --property memory
// Each thread gets the address of a variable that is gone when the next round begins.
#include <pthread.h>

static void *worker(void *argument) {
    int *number = argument;
    return *number > 1 ? number : 0; //~ error[memory]
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) {
        int number = i;
        pthread_create(&threads[i], 0, worker, &number);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return 0;
}
