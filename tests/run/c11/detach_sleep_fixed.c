// run: --runs 20 --seed 1
// A detached thread goes on alone; thrd_sleep waits for a while.
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
    return 0;
}
