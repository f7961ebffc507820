// check: --unmodelled pure --property assert,race
// An assertion that fails for some of the values does not hide a race for which none is needed.
#include <assert.h>
#include <pthread.h>

extern int level(void);
static int count;

static void *work(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    count++; //~ error[race]
    pthread_join(thread, 0);
    assert(level() < 1000);
    return 0;
}
