// run: --runs 1
// The older name of the error call.
extern void __VERIFIER_error(void);

int main(void) {
    __VERIFIER_error(); //~ error[assert]
    return 0;
}
