// run: --runs 20 --seed 1
// sched_yield gives way to other threads; waiting in a loop around it ends when the other thread is done.
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

static atomic_bool done;

static void *work(void *unused) {
    (void)unused;
    done = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!done)
        sched_yield();
    pthread_join(thread, NULL);
    return 0;
}
