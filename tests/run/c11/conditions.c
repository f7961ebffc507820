// run: --runs 50 --seed 1
// Main waits for its turn without looking whether it has already come.
#include <assert.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static int turn, hits;

static void play(int self) {
    mtx_lock(&lock);
    if (self == 0)
        cnd_wait(&changed, &lock); //~ error[deadlock]
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
