// Two stages with a lock each: the second value is derived from the first in a later critical section, and a reader
// comes between the two.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void *write(void *unused) {
    pthread_mutex_lock(&first_lock);
    first = 1;
    pthread_mutex_unlock(&first_lock);

    pthread_mutex_lock(&second_lock);
    second = 2;
    pthread_mutex_unlock(&second_lock);
    return unused;
}

static void *read(void *unused) {
    pthread_mutex_lock(&first_lock);
    int base = first;
    pthread_mutex_unlock(&first_lock);

    pthread_mutex_lock(&second_lock);
    assert(base == 0 || second == base + 1);
    pthread_mutex_unlock(&second_lock);
    return unused;
}

int main(void) {
    pthread_t writers[N], reader;
    for (int i = 0; i < N; i++)
        pthread_create(&writers[i], NULL, write, NULL);
    pthread_create(&reader, NULL, read, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(writers[i], NULL);
    pthread_join(reader, NULL);
    return 0;
}
