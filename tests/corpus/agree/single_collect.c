// Reading the registers once is no snapshot: the pair that was read was never there.
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
    assert(first_left == first_right || first_left == first_right + 1);
    pthread_join(thread, NULL);
    return 0;
}
