// check: --property assert,reach-error,lock
// Looked at once, it is the same in both places.
#include <assert.h>
#include <pthread.h>

typedef int handler(int);
static int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
static handler *table[2] = {twice, minus};
static handler *current = twice;

static void *change(void *unused) {
    (void)unused;
    current = table[1];
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, change, NULL);
    int result = 0;
    handler *mine = current;
    if (mine == twice)
        result = mine(21);
    assert(result == 0 || result == 42);
    pthread_join(a, NULL);
    return 0;
}
