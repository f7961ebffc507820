// Stateful: two threads change two numbers under two locks, N times each, in opposite orders. The assertion holds in every
// order: additions commute, unlike in classic/stateful.c. Nothing races.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t first_lock = PTHREAD_MUTEX_INITIALIZER, second_lock = PTHREAD_MUTEX_INITIALIZER;
static int first, second;

static void change(pthread_mutex_t *lock, int *number, int by) {
    pthread_mutex_lock(lock);
    *number += by;
    pthread_mutex_unlock(lock);
}

static void *up(void *unused) {
    for (int i = 0; i < N; i++) {
        change(&first_lock, &first, 3);
        change(&second_lock, &second, 7);
    }
    return unused;
}

static void *down(void *unused) {
    for (int i = 0; i < N; i++) {
        change(&second_lock, &second, -2);
        change(&first_lock, &first, -1);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, up, NULL);
    pthread_create(&b, NULL, down, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(first == 2 * N && second == 5 * N);
    return 0;
}
