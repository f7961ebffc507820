// Bit-fields of one word under a lock: writing one leaves the other as it is.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned low : 3, high : 5;
} word;

static void *set_low(void *unused) {
    pthread_mutex_lock(&lock);
    word.low = 9; // one bit too many
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set_low, NULL);
    pthread_mutex_lock(&lock);
    word.high = 17;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(word.low == 1 && word.high == 17);
    return 0;
}
