// The flag is read and written under the lock, the data outside of it: whoever finds the flag set comes after the one
// who set it, and the data was written before.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool ready;
static int data;

static void *prepare(void *unused) {
    data = 5;
    pthread_mutex_lock(&lock);
    ready = true;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    pthread_mutex_lock(&lock);
    bool seen = ready;
    pthread_mutex_unlock(&lock);
    if (seen)
        assert(data == 5);
    pthread_join(thread, NULL);
    return 0;
}
