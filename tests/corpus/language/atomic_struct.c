// An atomic struct is read and written as a whole.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct pair {
    int left, right;
};

static _Atomic struct pair pair;

static void *move(void *unused) {
    atomic_store(&pair, ((struct pair){1, 1}));
    atomic_store(&pair, ((struct pair){2, 2}));
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    struct pair seen = atomic_load(&pair);
    assert(seen.left == seen.right);
    pthread_join(thread, NULL);
    return 0;
}
