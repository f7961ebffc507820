// A number that another thread set to the smallest one is negated.
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level;

static void *sink(void *unused) {
    pthread_mutex_lock(&lock);
    level = INT_MIN;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sink, NULL);
    pthread_mutex_lock(&lock);
    int depth = -level;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return depth == 3;
}
