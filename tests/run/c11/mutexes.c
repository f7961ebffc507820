// run: --runs 20 --seed 1
// Recursive and timed mutexes; mtx_trylock says thrd_busy.
#include <assert.h>
#include <threads.h>

static mtx_t recursive, timed;

static int other(void *unused) {
    (void)unused;
    assert(mtx_trylock(&recursive) == thrd_busy);
    struct timespec deadline = {.tv_sec = 2000000000};
    int result = mtx_timedlock(&timed, &deadline);
    assert(result == thrd_success || result == thrd_timedout);
    if (result == thrd_success)
        mtx_unlock(&timed);
    return 0;
}

int main(void) {
    thrd_t thread;
    assert(mtx_init(&recursive, mtx_plain | mtx_recursive) == thrd_success);
    assert(mtx_init(&timed, mtx_timed) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    assert(mtx_lock(&recursive) == thrd_success);
    thrd_create(&thread, other, NULL);
    thrd_join(thread, NULL);
    assert(mtx_unlock(&recursive) == thrd_success);
    assert(mtx_unlock(&recursive) == thrd_success);
    mtx_destroy(&recursive);
    mtx_destroy(&timed);
    return 0;
}
