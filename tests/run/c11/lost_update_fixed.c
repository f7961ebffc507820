// run: --runs 50 --seed 1
// C11 threads: two of them add to the same balance under the mutex.
#include <assert.h>
#include <threads.h>

static int balance;
static mtx_t lock;

static int deposit(void *amount) {
    mtx_lock(&lock);
    balance += *(int *)amount;
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t a, b;
    int ten = 10, twenty = 20;
    assert(mtx_init(&lock, mtx_plain) == thrd_success);
    assert(thrd_create(&a, deposit, &ten) == thrd_success);
    assert(thrd_create(&b, deposit, &twenty) == thrd_success);
    assert(thrd_join(a, NULL) == thrd_success);
    assert(thrd_join(b, NULL) == thrd_success);
    assert(balance == 30);
    mtx_destroy(&lock);
    return 0;
}
