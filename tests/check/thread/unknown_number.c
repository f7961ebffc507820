// check: --property assert,reach-error,lock
// That there are fewer than three of them is not so.
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
    assert(sum < 3); //~ error[assert]
    pthread_mutex_unlock(&lock);
    return 0;
}
