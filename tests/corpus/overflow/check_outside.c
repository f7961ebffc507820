// The check for room comes before the lock: both threads find room for one more.
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int full;
static int counter = INT_MAX - 1;

static void *count(void *unused) {
    if (!full) {
        pthread_mutex_lock(&lock);
        counter++;
        full = counter == INT_MAX;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
