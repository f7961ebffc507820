// run: --runs 1
// The error path unlocks a mutex that was never locked.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int save(int value) {
    if (value < 0)
        goto out;
    pthread_mutex_lock(&lock);
out:
    pthread_mutex_unlock(&lock); //~ error[lock]
    return value;
}

int main(void) {
    save(1);
    save(-1);
    return 0;
}
