// run: --runs 20 --seed 1
// thrd_join hands over the int that the thread returned or gave to thrd_exit.
#include <assert.h>
#include <threads.h>

static int returns(void *argument) { return *(int *)argument + 1; }

static int exits(void *argument) {
    assert(!thrd_equal(*(thrd_t *)argument, thrd_current()));
    thrd_yield();
    thrd_exit(-7);
}

int main(void) {
    thrd_t a, b, self = thrd_current();
    int forty = 40, result;
    thrd_create(&a, returns, &forty);
    thrd_create(&b, exits, &self);
    assert(thrd_join(a, &result) == thrd_success && result == 41);
    assert(thrd_join(b, &result) == thrd_success && result == -7);
    return 0;
}
