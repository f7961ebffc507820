// check: --property assert,reach-error,lock --std c11
// C11 threads with a lock; what a thread returns reaches the one that joins it.
#include <assert.h>
#include <stddef.h>
#include <threads.h>

static mtx_t lock;
static once_flag once = ONCE_FLAG_INIT;
static int counter, initialised;

static void initialise(void) {
    initialised++;
    mtx_init(&lock, mtx_plain);
}

static int add(void *unused) {
    (void)unused;
    call_once(&once, initialise);
    mtx_lock(&lock);
    counter += 2;
    int mine = counter;
    mtx_unlock(&lock);
    return mine;
}

int main(void) {
    thrd_t a, b;
    int first, second;
    thrd_create(&a, add, NULL);
    thrd_create(&b, add, NULL);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(counter == 4 && initialised == 1);
    assert((first == 2 && second == 4) || (first == 4 && second == 2));
    return 0;
}
