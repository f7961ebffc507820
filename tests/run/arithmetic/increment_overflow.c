// run: --runs 1
// A counter of type long long that counts past its largest value.
#include <limits.h>

int main(void) {
    long long ticks = LLONG_MAX - 2;
    for (int i = 0; i < 5; i++)
        ticks++; //~ error[overflow]
    return ticks < 0;
}
