// run: --runs 100 --seed 1
// Nobody ever sets what main polls for.
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *unused) {
    sleep(1);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    while (!done) //~ error[stuck]
        usleep(100000);
    pthread_join(thread, NULL);
    return 0;
}
