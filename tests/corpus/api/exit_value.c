// A thread that leaves by pthread_exit from a nested call, and what it leaves.
#include <assert.h>
#include <pthread.h>

static int found = 3;

static void search(int depth) {
    if (depth == 2)
        pthread_exit(&found);
    search(depth + 1);
}

static void *start(void *unused) {
    search(0);
    assert(0);
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, start, NULL);
    pthread_join(thread, &result);
    assert(*(int *)result == 3);
    return 0;
}
