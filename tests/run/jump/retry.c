// run: --runs 5 --seed 1
// An operation that is tried again after a jump out of it.
#include <setjmp.h>
#include <stdio.h>

static jmp_buf again;

static void fails(int tries) {
    if (tries < 3)
        longjmp(again, tries);
}

int main(void) {
    volatile int tries = 0;
    int last = setjmp(again);
    tries++;
    printf("try %d after %d\n", tries, last);
    fails(tries);
    return 0;
}
