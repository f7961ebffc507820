// run: --runs 50 --seed 1
// Time is an input, but it never goes backwards.
#include <assert.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    struct timespec a, b;
    assert(clock_gettime(CLOCK_MONOTONIC, &a) == 0);
    assert(clock_gettime(CLOCK_MONOTONIC, &b) == 0);
    assert(a.tv_nsec >= 0 && a.tv_nsec < 1000000000);
    assert(b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_nsec >= a.tv_nsec));
    time_t early = time(NULL), late;
    assert(time(&late) == late || late >= early);
    assert(late >= early);
    struct timeval x, y;
    gettimeofday(&x, NULL);
    gettimeofday(&y, NULL);
    assert(y.tv_sec > x.tv_sec || (y.tv_sec == x.tv_sec && y.tv_usec >= x.tv_usec));
    return 0;
}
