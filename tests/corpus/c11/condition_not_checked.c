// C11 threads: waiting without a look at the flag sleeps through a signal that came before.
#include <threads.h>

static mtx_t lock;
static cnd_t changed;

static int send(void *unused) {
    (void)unused;
    mtx_lock(&lock);
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
    cnd_wait(&changed, &lock);
    mtx_unlock(&lock);
    thrd_join(thread, NULL);
    return 0;
}
