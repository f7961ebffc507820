// Stateful: two threads change x and y under two locks, in opposite orders, by operations that do not commute. Who was
// second at x cannot have been first at y as well, in both directions. The mistake: left can be first at x and second at y.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t x_lock = PTHREAD_MUTEX_INITIALIZER, y_lock = PTHREAD_MUTEX_INITIALIZER;
static int x = 1, y = 1;

static void *left(void *unused) {
    pthread_mutex_lock(&x_lock);
    x = x + 1;
    pthread_mutex_unlock(&x_lock);
    pthread_mutex_lock(&y_lock);
    y = y + 1;
    pthread_mutex_unlock(&y_lock);
    return unused;
}

static void *right(void *unused) {
    pthread_mutex_lock(&y_lock);
    y = y * 2;
    pthread_mutex_unlock(&y_lock);
    pthread_mutex_lock(&x_lock);
    x = x * 2;
    pthread_mutex_unlock(&x_lock);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
    // x is 3 if right was first there, y is 4 if left was first there.
#ifdef MISTAKE
    assert(!(x == 4 && y == 3));
#else
    assert(!(x == 3 && y == 4));
#endif
    return 0;
}
