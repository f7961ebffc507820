// check: --property assert,reach-error,lock
// A variable that is defined in a file that is not given holds any value at first; the ledger names it.
#include <assert.h>
#include <pthread.h>

extern int level;
static int seen;

static void *look(void *unused) {
    seen = level;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    pthread_join(thread, NULL);
    assert(seen == level);
    assert(seen < 100); //~ error[assert]
    return 0;
}
