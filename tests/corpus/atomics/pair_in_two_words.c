// Two atomic halves are not an atomic whole.
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
    int seen_left = left, seen_right = right;
    assert(seen_left == seen_right);
    pthread_join(thread, NULL);
    return 0;
}
