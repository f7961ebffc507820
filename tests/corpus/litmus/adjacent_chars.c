// Neighbouring characters are memory locations of their own: two threads may write them at the same time.
#include <assert.h>
#include <pthread.h>

static struct {
    char left, right;
} pair;

static void *write_left(void *unused) {
    pair.left = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_left, NULL);
    pair.right = 2;
    pthread_join(thread, NULL);
    assert(pair.left == 1 && pair.right == 2);
    return 0;
}
