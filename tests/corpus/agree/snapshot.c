// A snapshot of two registers by reading them twice: when nothing has changed, there was a moment with both values.
// Values only grow, so the same value means no change.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int left, right;

static void *move(void *unused) {
    for (int i = 1; i <= 2; i++) {
        left = i;
        right = i;
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    int first_left = left, first_right = right;
    int second_left = left, second_right = right;
    if (first_left == second_left && first_right == second_right)
        assert(first_left == first_right || first_left == first_right + 1);
    pthread_join(thread, NULL);
    return 0;
}
