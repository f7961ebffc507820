// run: --runs 100 --seed 1
// A stream may only be unlocked by the thread that has locked it.
#include <stdio.h>

int main(void) {
    FILE *f = fopen("a", "w");
    flockfile(f);
    fputs("x", f);
    funlockfile(f);
    funlockfile(f); //~ error[lock]
    fclose(f);
    return 0;
}
