// Two locks in opposite orders, where one side tries and gives up: no deadlock, and sometimes no work.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *ab(void *unused) {
    pthread_mutex_lock(&a);
    if (pthread_mutex_trylock(&b) == 0) {
        sum += 1;
        pthread_mutex_unlock(&b);
    }
    pthread_mutex_unlock(&a);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ab, NULL);
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a);
    sum += 2;
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    pthread_join(thread, NULL);
    assert(sum == 2 || sum == 3);
    return 0;
}
