// run: --runs 50 --seed 1
// Main and the other thread take turns with a condition variable.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int turn, hits;

static void play(int self) {
    mtx_lock(&lock);
    while (turn != self)
        cnd_wait(&changed, &lock);
    hits++;
    turn = 1 - self;
    cnd_signal(&changed);
    mtx_unlock(&lock);
}

static int pong(void *unused) {
    (void)unused;
    play(1);
    return 0;
}

int main(void) {
    thrd_t thread;
    mtx_init(&lock, mtx_plain);
    assert(cnd_init(&changed) == thrd_success);
    thrd_create(&thread, pong, NULL);
    play(0);
    thrd_join(thread, NULL);
    assert(hits == 2);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
