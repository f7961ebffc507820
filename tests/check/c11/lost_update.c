// check: --property assert,reach-error,lock --std c11
// C11 threads without a lock.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static int counter;

static int add(void *unused) {
    (void)unused;
    counter += 2;
    return counter;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, add, NULL);
    thrd_create(&b, add, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(counter == 4); //~ error[assert]
    return 0;
}
