// run: --runs 1
// Only the path that locked the mutex unlocks it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int save(int value) {
    if (value < 0)
        return -1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return value;
}

int main(void) {
    save(1);
    save(-1);
    return 0;
}
