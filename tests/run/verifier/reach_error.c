// run: --runs 50 --seed 1
// Two unordered atomic sections: in between, the sum is wrong, and reach_error can be called.
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
#include <pthread.h>

void reach_error(void) {}

static int left = 10, right;

static void *move(void *unused) {
    (void)unused;
    __VERIFIER_atomic_begin();
    left--;
    __VERIFIER_atomic_end();
    __VERIFIER_atomic_begin();
    right++;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, move, 0);
    __VERIFIER_atomic_begin();
    int sum = left + right;
    __VERIFIER_atomic_end();
    if (sum != 10)
        reach_error(); //~ error[assert]
    pthread_join(thread, 0);
    return 0;
}
