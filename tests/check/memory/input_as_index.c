// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// The index is checked against the size that the table had before.
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

static int small[2], large[4];
static _Atomic(int *) table = large;

static void *shrink(void *unused) {
    table = small;
    return unused;
}

int main(void) {
    unsigned index = tp_input_uint("index");
    pthread_t thread;
    pthread_create(&thread, NULL, shrink, NULL);
    if (index < 4)
        table[index] = 1; //~ error[memory]
    pthread_join(thread, NULL);
    return 0;
}
