// C11 threads: a condition variable hands a value over.
#include <assert.h>
#include <stdbool.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static bool ready;
static int value;

static int send(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    value = 9;
    ready = true;
    cnd_signal(&changed);
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    thrd_create(&thread, send, NULL);
    mtx_lock(&lock);
    while (!ready)
        cnd_wait(&changed, &lock);
    assert(value == 9);
    mtx_unlock(&lock);
    thrd_join(thread, NULL);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
