// run: --runs 50 --seed 1
// The program takes for granted that no time passes between two looks at the clock.
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec a, b;
    assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &b) == 0);
    assert(a.tv_nsec >= 0 && a.tv_nsec < 1000000000);
    assert(a.tv_sec == b.tv_sec); //~ error[assert]
    return 0;
}
