// run: --runs 50 --seed 1
// While a thread waits, the mutex is free; when the wait is over, the thread holds it again.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock;
static pthread_cond_t changed;
static bool asked, answered;

static void *answer(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    while (!asked)
        pthread_cond_wait(&changed, &lock);
    answered = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t thread;
    assert(pthread_mutex_init(&lock, NULL) == 0);
    assert(pthread_cond_init(&changed, NULL) == 0);
    pthread_create(&thread, NULL, answer, NULL);
    pthread_mutex_lock(&lock);
    asked = true;
    pthread_cond_broadcast(&changed);
    while (!answered)
        assert(pthread_cond_wait(&changed, &lock) == 0);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    assert(pthread_cond_destroy(&changed) == 0);
    assert(pthread_mutex_destroy(&lock) == 0);
    return 0;
}
