// N threads count under a lock; with -DUNSAFE the last one forgets it.
#include <assert.h>
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *is_careless) {
    if (!is_careless)
        pthread_mutex_lock(&lock);
    counter++;
    if (!is_careless)
        pthread_mutex_unlock(&lock);
    return 0;
}

int main(void) {
    pthread_t threads[N];
    for (long i = 0; i < N; i++) {
#ifdef UNSAFE
        long is_careless = i == N - 1;
#else
        long is_careless = 0;
#endif
        pthread_create(&threads[i], 0, count, (void *)is_careless);
    }
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], 0);
    assert(counter == N);
}
