// run: --runs 200 --seed 1
// Read your own write and the other's: with sequentially consistent atomics not both can miss, but one can.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *left(void *unused) {
    (void)unused;
    x = 1;
    seen_y = y;
    return NULL;
}

static void *right(void *unused) {
    (void)unused;
    y = 1;
    seen_x = x;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(seen_x && seen_y); //~ error[assert]
    return 0;
}
