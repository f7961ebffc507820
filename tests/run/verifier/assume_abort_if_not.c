// run: --runs 50 --seed 1
// The usual definition of an assumption by abort: what comes after it may rely on the condition.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void assume_abort_if_not(int condition) {
    if (!condition)
        abort();
}

int main(void) {
    int x = __VERIFIER_nondet_int();
    assume_abort_if_not(x > 0 && x < 100);
    if (x * x <= 0)
        reach_error();
    return 0;
}
