// check: --property unreach-call
// The functions of SV-COMP: any value, assumptions, an atomic section, and an error call that is not reached.
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
    __VERIFIER_atomic_begin();
    x += step;
    y -= step;
    __VERIFIER_atomic_end();
    return 0;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, move, 0);
    pthread_create(&b, 0, move, 0);
    __VERIFIER_atomic_begin();
    int sum = x + y;
    __VERIFIER_atomic_end();
    if (sum != 0)
        reach_error();
    return 0;
}
