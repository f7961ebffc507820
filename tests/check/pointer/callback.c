// check: --property assert,reach-error,lock
// The handler is changed between its check and its call by whoever finds it in the table.
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
    if (current == twice)
        result = current(21);
    assert(result == 0 || result == 42); //~ error[assert]
    pthread_join(a, NULL);
    return 0;
}
