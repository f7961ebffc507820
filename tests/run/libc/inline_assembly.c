// run: --runs 1
// Inline assembly is not understood; it is reported when it is reached.
int main(void) {
    int x = 1;
    __asm__ volatile("addl $1, %0" : "+r"(x)); //~ error[unsupported]
    return x == 0;
}
