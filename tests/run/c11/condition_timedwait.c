// run: --runs 20 --seed 1 --no-spurious-wakeups
// cnd_timedwait ends with success or thrd_timedout; cnd_broadcast wakes everybody.
#include <assert.h>
#include <stdbool.h>
#include <threads.h>

static mtx_t lock;
static cnd_t opened;
static bool open;

static int wait(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    while (!open)
        cnd_wait(&opened, &lock);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    struct timespec deadline = {.tv_sec = 2000000000};
    thrd_t a, b;
    mtx_init(&lock, mtx_plain);
    cnd_init(&opened);
    mtx_lock(&lock);
    deadline.tv_sec = 1;
    assert(cnd_timedwait(&opened, &lock, &deadline) == thrd_timedout);
    mtx_unlock(&lock);
    thrd_create(&a, wait, NULL);
    thrd_create(&b, wait, NULL);
    mtx_lock(&lock);
    open = true;
    cnd_broadcast(&opened);
    mtx_unlock(&lock);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    cnd_destroy(&opened);
    mtx_destroy(&lock);
    return 0;
}
