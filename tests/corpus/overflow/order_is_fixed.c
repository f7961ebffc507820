// The same with the second thread started after the first was joined.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static int level = INT_MIN + 5;

static void *change(void *argument) {
    level += *(int *)argument;
    return NULL;
}

int main(void) {
    static int up = 10, down = -10;
    pthread_t thread;
    pthread_create(&thread, NULL, change, &up);
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, change, &down);
    pthread_join(thread, NULL);
    assert(level == INT_MIN + 5);
    return 0;
}
