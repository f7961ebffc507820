// Read to write causality: if a reader sees x and not yet y, then the thread that writes y and looks at x afterwards
// sees x.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b, c;

static void *first(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *second(void *unused) {
    a = atomic_load(&x);
    b = atomic_load(&y);
    return unused;
}

static void *third(void *unused) {
    atomic_store(&y, 1);
    c = atomic_load(&x);
    return unused;
}

int main(void) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_create(&threads[2], NULL, third, NULL);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    assert(!(a == 1 && b == 0 && c == 0));
    return 0;
}
