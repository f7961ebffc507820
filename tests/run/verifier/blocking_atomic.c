// run: --runs 50 --seed 1
// A lock made of an atomic section with an assume; the release is missing, so the second thread waits for ever.
#include <pthread.h>
extern void __VERIFIER_assume(int);

static int taken, counter;

static void __VERIFIER_atomic_acquire(void) {
    __VERIFIER_assume(taken == 0); //~ error[deadlock]
    taken = 1;
}

static void __VERIFIER_atomic_release(void) { taken = 0; }

static void *work(void *unused) {
    (void)unused;
    __VERIFIER_atomic_acquire();
    counter++;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    __VERIFIER_atomic_release();
    return counter != 2;
}
