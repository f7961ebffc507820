// run: --runs 50 --seed 1
// The snapshot is copied under the lock that the worker holds for its update.
#include <pthread.h>
#include <string.h>

struct stats {
    int hits, misses;
};
static struct stats live;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    live.misses++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    struct stats copy;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    pthread_mutex_lock(&lock);
    memcpy(&copy, &live, sizeof copy);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return copy.misses > 1;
}
