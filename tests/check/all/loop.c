// check: --property assert,reach-error,lock --all --unwind 2
// One assertion fails in the first round, one in the second; the loop goes on after that.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int rounds, stop;

static void *end(void *unused) {
    stop = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, end, NULL);
    while (!stop) {
        rounds++;
        assert(rounds != 1 || !stop); //~ error[assert]
        assert(rounds != 2); //~ error[assert]
    }
    pthread_join(thread, NULL);
    return 0;
}
