// Independent reads of independent writes: two readers cannot see two writes in opposite orders.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c, d;

static void *write_x(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *write_y(void *unused) {
    atomic_store(&y, 1);
    return unused;
}

static void *x_then_y(void *unused) {
    a = atomic_load(&x);
    b = atomic_load(&y);
    return unused;
}

static void *y_then_x(void *unused) {
    c = atomic_load(&y);
    d = atomic_load(&x);
    return unused;
}

int main(void) {
    void *(*part[4])(void *) = {write_x, write_y, x_then_y, y_then_x};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, part[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(a == 1 && b == 0 && c == 1 && d == 0));
    return 0;
}
