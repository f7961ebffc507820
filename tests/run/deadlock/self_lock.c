// run: --runs 1
// A helper locks what its caller has already locked.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries;

static void add_entry(void) {
    pthread_mutex_lock(&lock); //~ error[deadlock]
    entries++;
    pthread_mutex_unlock(&lock);
}

int main(void) {
    pthread_mutex_lock(&lock);
    add_entry();
    pthread_mutex_unlock(&lock);
    return 0;
}
