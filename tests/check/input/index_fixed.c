// check: --property assert,reach-error,lock
// Any element but that one.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static int cells[4];

static void *mine(void *unused) {
    (void)unused;
    cells[2] = 5;
    int seen = cells[2];
    tp_assert(seen == 5);
    return NULL;
}

int main(void) {
    pthread_t a;
    unsigned index = tp_input_uint("index");
    tp_assume(index < 4 && index != 2);
    pthread_create(&a, NULL, mine, NULL);
    cells[index] = 6;
    pthread_join(a, NULL);
    return 0;
}
