// Two threads push each other up: each adds the other's number to its own, N times. No order of their steps gets
// beyond the Fibonacci number 2N + 2, and one order reaches it. With -DUNSAFE the assertion denies that one.
#include <assert.h>
#include <pthread.h>

static int left = 1, right = 1;

static void *push_left(void *unused) {
    for (int round = 0; round < N; round++)
        left += right;
    return unused;
}

static void *push_right(void *unused) {
    for (int round = 0; round < N; round++)
        right += left;
    return unused;
}

static int highest(void) {
    int before = 1, now = 1;
    for (int step = 0; step < 2 * N; step++) {
        int next = before + now;
        before = now;
        now = next;
    }
    return now;
}

int main(void) {
    pthread_t threads[2];
    pthread_create(&threads[0], 0, push_left, 0);
    pthread_create(&threads[1], 0, push_right, 0);
#ifdef UNSAFE
    int limit = highest() - 1;
#else
    int limit = highest();
#endif
    // Not joined: it holds at every moment.
    assert(left <= limit);
    assert(right <= limit);
}
