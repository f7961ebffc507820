// run: --runs 50 --seed 1
// A function whose name begins with __VERIFIER_atomic_ is one step.
#include <assert.h>
#include <pthread.h>

static int counter;

static void __VERIFIER_atomic_add(int n) {
    counter += n;
}

static void *work(void *unused) {
    (void)unused;
    __VERIFIER_atomic_add(2);
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 4);
    return 0;
}
