// run: --runs 20
// Between two looks at the flag, which nobody sets, the thread sleeps, for a time that lies in a local; but not for ever.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static atomic_int flag;

static int count(int *rounds) {
    return ++*rounds;
}

static void *wait_for_flag(void *unused) {
    int rounds = 0;
    while (!atomic_load(&flag) && count(&rounds) < 300) {
        struct timespec moment = {0, 1000};
        nanosleep(&moment, NULL);
    }
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, wait_for_flag, NULL);
    pthread_join(thread, NULL);
    return 0;
}
