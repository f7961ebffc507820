// run: --runs 1
// Threads one after the other: two hundred of them, never more than two alive.
#include <assert.h>
#include <pthread.h>

static int sum;

static void *add(void *argument) {
    sum += *(int *)argument;
    return NULL;
}

int main(void) {
    for (int i = 1; i <= 200; i++) {
        pthread_t thread;
        assert(pthread_create(&thread, NULL, add, &i) == 0);
        assert(pthread_join(thread, NULL) == 0);
    }
    assert(sum == 20100);
    return 0;
}
