// run: --runs 100 --seed 1
// Short sleeps end before long ones, and a thread that polls is not stuck while the other one sleeps.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

static atomic_int done;

static void *work(void *unused) {
    sleep(1);
    done = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    int rounds = 0;
    pthread_create(&thread, NULL, work, NULL);
    while (!done) {
        usleep(100000);
        rounds++;
    }
    pthread_join(thread, NULL);
    assert(rounds <= 100);
    return 0;
}
