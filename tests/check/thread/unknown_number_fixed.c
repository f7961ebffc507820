// check: --property assert,reach-error,lock --unwind 3
// How many threads there are is an input; within three of them the sum is right.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    sum++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    int count = tp_input_int("count");
    pthread_t thread;
    for (int i = 0; i < count; i++)
        pthread_create(&thread, NULL, add, NULL);
    pthread_mutex_lock(&lock);
    assert(sum <= count || count < 0);
    pthread_mutex_unlock(&lock);
    return 0;
}
