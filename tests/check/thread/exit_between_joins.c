// check:
// Two threads alike: the first one that comes sets a flag for a moment. Main has joined one of them when it looks at the flag, and
// exits. So the other one may still be at work, also the one that was started later.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int arrived;
static atomic_int is_busy;

static void *work(void *unused) {
    pthread_mutex_lock(&lock);
    int mine = arrived++;
    pthread_mutex_unlock(&lock);
    if (mine == 0) {
        is_busy = 1;
        is_busy = 0;
    }
    return unused;
}

int main(void) {
    pthread_t one, two;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    int have_both_come = arrived == 2;
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    if (have_both_come) {
        assert(!is_busy); //~ error[assert]
        exit(0);
    }
    pthread_join(two, NULL);
    return 0;
}
