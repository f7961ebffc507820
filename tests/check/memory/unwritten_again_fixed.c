// check: --property assert
// A local of a loop is looked at after a thread has written it in this round.
#include <assert.h>
#include <pthread.h>

static void *clear(void *argument) {
    *(int *)argument = 0;
    return NULL;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        int number;
        pthread_t thread;
        pthread_create(&thread, NULL, clear, &number);
        pthread_join(thread, NULL);
        assert(number == 0);
    }
    return 0;
}
