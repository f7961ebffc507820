// 2+2W: two threads write two variables in opposite orders. The first write of each cannot be the last on its variable
// in both cases. The mistake: the second writes of both threads can.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *left(void *unused) {
    atomic_store(&x, 1);
    atomic_store(&y, 2);
    return unused;
}

static void *right(void *unused) {
    atomic_store(&y, 1);
    atomic_store(&x, 2);
    return unused;
}

int main(void) {
    pthread_t l, r;
    pthread_create(&l, NULL, left, NULL);
    pthread_create(&r, NULL, right, NULL);
    pthread_join(l, NULL);
    pthread_join(r, NULL);
#ifdef MISTAKE
    assert(!(atomic_load(&x) == 2 && atomic_load(&y) == 2));
#else
    assert(!(atomic_load(&x) == 1 && atomic_load(&y) == 1));
#endif
    return 0;
}
