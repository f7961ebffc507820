// check: --property assert,reach-error,lock
// Under a lock the copy is whole.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    long low, high;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct pair shared = {1, 2};

static void *write(void *unused) {
    (void)unused;
    struct pair next = {11, 12};
    pthread_mutex_lock(&lock);
    memcpy(&shared, &next, sizeof next);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a;
    struct pair seen;
    pthread_create(&a, NULL, write, NULL);
    pthread_mutex_lock(&lock);
    memcpy(&seen, &shared, sizeof seen);
    pthread_mutex_unlock(&lock);
    assert(seen.high == seen.low + 1);
    pthread_join(a, NULL);
    return 0;
}
