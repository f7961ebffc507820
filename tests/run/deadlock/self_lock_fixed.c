// run: --runs 1
// The caller leaves the locking to the helper.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void add_entry(void) {
    pthread_mutex_lock(&lock);
    entries++;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    add_entry();
    return 0;
}
