// run: --runs 1
// A compiler barrier is the one kind of inline assembly that means nothing to the machine.
int main(void) {
    int x = 1;
    __asm__ volatile("" ::: "memory");
    return x == 0;
}
