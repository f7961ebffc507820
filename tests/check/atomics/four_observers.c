// check: --property assert,reach-error,lock
// Two threads write x and y, two others read them in opposite orders: they cannot disagree on which came first.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int x_first, y_first;

static void *write_x(void *unused) {
    (void)unused;
    atomic_store(&x, 1);
    return NULL;
}

static void *write_y(void *unused) {
    (void)unused;
    atomic_store(&y, 1);
    return NULL;
}

static void *read_xy(void *unused) {
    (void)unused;
    int first = atomic_load(&x), second = atomic_load(&y);
    x_first = first && !second;
    return NULL;
}

static void *read_yx(void *unused) {
    (void)unused;
    int first = atomic_load(&y), second = atomic_load(&x);
    y_first = first && !second;
    return NULL;
}

int main(void) {
    static void *(*const work[])(void *) = {write_x, write_y, read_xy, read_yx};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(x_first && y_first));
    return 0;
}
