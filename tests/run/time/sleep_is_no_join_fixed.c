// run: --runs 200 --seed 1
// Main sleeps, and then waits.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *unused) {
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    sleep(1);
    pthread_join(thread, NULL);
    assert(done);
    return 0;
}
