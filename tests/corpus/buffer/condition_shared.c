// One condition variable for both sides and `signal`: a producer's signal can wake the other producer instead of the
// consumer, and all of them sleep.
#include <pthread.h>

#define SIZE 1

static int count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void change(int full, int by) {
    pthread_mutex_lock(&lock);
    while (count == full)
        pthread_cond_wait(&changed, &lock);
    count += by;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *produce(void *unused) {
    change(SIZE, 1);
    return unused;
}

static void *consume(void *unused) {
    change(0, -1);
    return unused;
}

int main(void) {
    void *(*part[4])(void *) = {consume, consume, produce, produce};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, part[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
