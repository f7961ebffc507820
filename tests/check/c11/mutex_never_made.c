// check: --property lock
// A mutex of C11 has no static initialiser: without mtx_init it is none (C11 7.26.4.3).
#include <threads.h>

static mtx_t lock;
static int count;

static int add(void *unused) {
    mtx_lock(&lock); //~ error[lock]
    count++;
    mtx_unlock(&lock);
    return unused != NULL;
}

int main(void) {
    thrd_t t;
    thrd_create(&t, add, NULL);
    add(NULL);
    thrd_join(t, NULL);
    return 0;
}
