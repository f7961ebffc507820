// Independent reads of independent writes: when both readers read x first, one of them may see only x and the other
// only y, for the second may have read x before the write and y much later.
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

static void *first(void *unused) {
    a = atomic_load(&x);
    b = atomic_load(&y);
    return unused;
}

static void *second(void *unused) {
    c = atomic_load(&x);
    d = atomic_load(&y);
    return unused;
}

int main(void) {
    void *(*part[4])(void *) = {write_x, write_y, first, second};
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, part[i], NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(a == 1 && b == 0 && c == 0 && d == 1));
    return 0;
}
