// run: --runs 50 --seed 1
// An assumption that is too weak: zero is left.
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_assert(int);

int main(void) {
    unsigned n = __VERIFIER_nondet_uint() % 8;
    __VERIFIER_assume(n < 4);
    return 12 / n; //~ error[arithmetic]
}
