// run: --runs 50 --seed 1
// After all the sleeping, the join orders the worker's write before the read.
#include <pthread.h>
#include <time.h>
#include <unistd.h>

static int result;

static void *work(void *unused) {
    (void)unused;
    result = 1;
    return NULL;
}

int main(void) {
    struct timespec moment = {.tv_nsec = 1000};
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    usleep(1000);
    nanosleep(&moment, NULL);
    sleep(1);
    pthread_join(thread, NULL);
    int seen = result;
    return seen > 1;
}
