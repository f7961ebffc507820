// ISA2: message passing over two hops with the data at the far end.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int a, b, c;

static void *first(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&y, 1);
    return unused;
}

static void *second(void *unused) {
    a = atomic_load(&y);
    atomic_store(&z, 1);
    return unused;
}

static void *third(void *unused) {
    b = atomic_load(&z);
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
    assert(!(a == 1 && b == 1 && c == 0));
    return 0;
}
