// run: --runs 50 --seed 1
// Executions in which the assumption does not hold do not count.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 8;
    __VERIFIER_assume(n > 0);
    return 12 / n > 12;
}
