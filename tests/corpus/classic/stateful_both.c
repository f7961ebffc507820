// Stateful: left can be first at x and second at y.
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
    assert(!(x == 4 && y == 3));
    return 0;
}
