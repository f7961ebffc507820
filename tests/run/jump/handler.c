// run: --runs 5 --seed 1 --property assert
// A jump out of a signal handler is named.
#include <setjmp.h>
#include <signal.h>

static sigjmp_buf place;

static void handler(int signal) {
    siglongjmp(place, signal); //~ error[unmodelled]
}

int main(void) {
    signal(SIGUSR1, handler);
    if (sigsetjmp(place, 1) == 0)
        raise(SIGUSR1);
    return 0;
}
