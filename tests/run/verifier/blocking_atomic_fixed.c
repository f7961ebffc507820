// run: --runs 50 --seed 1
// A lock made of an atomic section with an assume: the section is entered only when the assumption holds.
#include <pthread.h>
extern void __VERIFIER_assume(int);

static int taken, counter;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(taken == 0);
    taken = 1;
}

static void __VERIFIER_atomic_release(void) { taken = 0; }

static void *work(void *unused) {
    (void)unused;
    __VERIFIER_atomic_acquire();
    counter++;
    __VERIFIER_atomic_release();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return counter != 2;
}
