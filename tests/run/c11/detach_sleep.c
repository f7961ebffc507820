// run: --runs 20 --seed 1
// A detached thread is joined.
#include <threads.h>

static int background(void *unused) {
    (void)unused;
    return 0;
}

int main(void) {
    thrd_t thread;
    struct timespec moment = {.tv_nsec = 1000};
    thrd_create(&thread, background, NULL);
    thrd_detach(thread);
    thrd_sleep(&moment, NULL);
    thrd_join(thread, NULL); //~ error[lock]
    return 0;
}
