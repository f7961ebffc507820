// run: --runs 1
// Inline assembly that is not understood is reported when it is reached.
int main(void) {
    int x = 1;
    __asm__ volatile("negl %0" : "+r"(x)); //~ error[unsupported]
    return x == 0;
}
