// run: --runs 50 --seed 1
// However long main sleeps, nothing orders the worker's write before its read.
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
    int seen = result; //~ error[race]
    pthread_join(thread, NULL);
    return seen > 1;
}
