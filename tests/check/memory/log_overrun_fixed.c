// check: --property valid-memsafety
// The place in the log is checked under the lock.
#include <pthread.h>
#include <stdatomic.h>

enum { PLACES = 1 };
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int used;
static int entries[PLACES];

static void *log_entry(void *unused) {
    pthread_mutex_lock(&lock);
    if (used < PLACES) {
        entries[used] = 1;
        used++;
    }
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, log_entry, NULL);
    log_entry(NULL);
    pthread_join(thread, NULL);
    return 0;
}
