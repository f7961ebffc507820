// run: --runs 20 --seed 1 --property reach-error
// Only the error call is asked for; the race on the way to it does not count.
#include <pthread.h>
extern void reach_error(void);

static int x;

static void *work(void *unused) {
    (void)unused;
    x = 1;
    return 0;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, 0, work, 0);
    x = 2;
    pthread_join(thread, 0);
    if (x == 3)
        reach_error();
    return 0;
}
