// check: --property assert,reach-error,lock
// A pointer that both threads move on, under a lock: six elements are written.
#include <assert.h>
#include <pthread.h>

static int items[8];
static int *next = items;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *unused) {
    for (int i = 0; i < 3; i++) {
        pthread_mutex_lock(&lock);
        *next++ = 1;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(next == items + 6 && items[5] == 1);
    assert(items[6] == 0);
    return 0;
}
