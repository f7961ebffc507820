// check: --property assert,reach-error,lock
// Whatever value a variable that is not defined has, it is the same for both; the ledger names it.
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
    return 0;
}
