// Stateful: two threads change x and y under two locks, N times each, in opposite orders, by operations that do not commute.
// Who was second at x cannot have been first at y as well, in both directions. The mistake: left can be first at x and
// second at y.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 1
#endif

static pthread_mutex_t x_lock = PTHREAD_MUTEX_INITIALIZER, y_lock = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y = 1;

static void *left(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&x_lock);
        x = x + 1;
        pthread_mutex_unlock(&x_lock);
    }
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&y_lock);
        y = y + 1;
        pthread_mutex_unlock(&y_lock);
    }
    return unused;
}

static void *right(void *unused) {
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&y_lock);
        y = y * 2;
        pthread_mutex_unlock(&y_lock);
    }
    for (int i = 0; i < N; i++) {
        pthread_mutex_lock(&x_lock);
        x = x * 2;
        pthread_mutex_unlock(&x_lock);
    }
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    // What each is if right, or left, did all of its work there before the other began; no other order gives the same.
    int right_first = (1 << N) + N, left_first = (1 + N) << N;
#ifdef MISTAKE
    assert(!(x == left_first && y == right_first));
#else
    assert(!(x == right_first && y == left_first));
#endif
    return 0;
}
