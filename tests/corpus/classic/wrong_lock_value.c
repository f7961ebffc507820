// Wrong lock, seen in a value: a thread reads the counter twice under its lock and finds it changed. The counter is
// atomic, so there is no race, and still no protection.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER, wrong = PTHREAD_MUTEX_INITIALIZER;
static atomic_int counter;

static void *count(void *unused) {
    pthread_mutex_lock(&right);
    int before = counter;
    counter = before + 1;
    assert(counter == before + 1);
    pthread_mutex_unlock(&right);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    pthread_mutex_lock(&wrong);
    counter = 100;
    pthread_mutex_unlock(&wrong);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
