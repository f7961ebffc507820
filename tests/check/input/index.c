// check: --property assert,reach-error,lock
// Which element is written is an input: it may be the one that the other thread uses.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static int cells[4];

static void *mine(void *unused) {
    (void)unused;
    cells[2] = 5;
    int seen = cells[2];
    tp_assert(seen == 5); //~ error[assert]
    return NULL;
}

int main(void) {
    pthread_t a;
    unsigned index = tp_input_uint("index");
    tp_assume(index < 4);
    pthread_create(&a, NULL, mine, NULL);
    cells[index] = 6;
    pthread_join(a, NULL);
    return 0;
}
