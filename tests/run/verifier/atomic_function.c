// run: --runs 50 --seed 1
// The function's name does not begin with __VERIFIER_atomic_, so it is not atomic.
#include <assert.h>
#include <pthread.h>

static int counter;

static void add(int n) {
    counter += n; //~ error[race]
}

static void *work(void *unused) {
    (void)unused;
    add(2);
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
