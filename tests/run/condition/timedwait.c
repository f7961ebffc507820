// run: --runs 200 --seed 1
// A timed wait can end without a signal; the caller takes the answer for granted.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool answer;

static void *reply(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    answer = true;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct timespec deadline;
    int result = 0;
    clock_gettime(CLOCK_REALTIME, &deadline);
    deadline.tv_sec += 2;
    pthread_create(&thread, NULL, reply, NULL);
    pthread_mutex_lock(&lock);
    while (!answer && result == 0)
        result = pthread_cond_timedwait(&ready, &lock, &deadline);
    assert(answer); //~ error[assert]
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
