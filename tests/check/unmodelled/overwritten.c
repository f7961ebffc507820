// check: --unmodelled pure
// What the function could have written is overwritten before it is used: nothing of the finding rests on it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern void fill(char *buffer, int size);

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *work(void *unused) {
    pthread_mutex_lock(&mutex);
    count = 1;
    pthread_mutex_unlock(&mutex);
    return unused;
}

int main(void) {
    char buffer[4];
    pthread_t thread;
    fill(buffer, sizeof buffer);
    memset(buffer, 1, sizeof buffer);
    pthread_mutex_lock(&mutex);
    count = 0;
    pthread_mutex_unlock(&mutex);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(buffer[1] + count == 1); //~ error[assert]
    return 0;
}
