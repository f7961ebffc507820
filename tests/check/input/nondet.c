// check: --property unreach-call
// Without the atomic section the error call is reached.
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);
#include <pthread.h>

static int x, y;

static void *move(void *unused) {
    (void)unused;
    int step = __VERIFIER_nondet_int();
    __VERIFIER_assume(step > 0 && step < 1000);
    x += step;
    y -= step;
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    int sum = x + y;
    if (sum != 0)
        reach_error(); //~ error[assert]
    return 0;
}
