// check: --property assert
// A local of a loop holds any value in each round, whatever a thread has left in it in the round before.
#include <assert.h>
#include <pthread.h>

static void *clear(void *argument) {
    *(int *)argument = 0;
    return NULL;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        int number;
        if (round > 0)
            assert(number == 0); //~ error[assert]
        pthread_t thread;
        pthread_create(&thread, NULL, clear, &number);
        pthread_join(thread, NULL);
    }
    return 0;
}
