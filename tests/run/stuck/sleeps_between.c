// run: --runs 20
// Between two looks at the flag, which nobody sets, the thread sleeps, for a time that lies in a local.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static void *wait_for_flag(void *unused) {
    while (!atomic_load(&flag)) {
        struct timespec moment = {0, 1000};
        nanosleep(&moment, NULL); //~ error[stuck]
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    pthread_join(thread, NULL);
    return 0;
}
