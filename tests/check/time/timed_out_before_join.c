// check:
// A thread has waited until a deadline, and was joined: nobody reads an earlier time afterwards. The clock may have gone on.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static sem_t never;
static struct timespec until;

static void *wait(void *unused) {
    sem_timedwait(&never, &until);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec now;
    sem_init(&never, 0, 0);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += 2;
    pthread_create(&thread, NULL, wait, NULL);
    pthread_join(thread, NULL);
    clock_gettime(CLOCK_REALTIME, &now);
    assert(now.tv_sec == until.tv_sec); //~ error[assert]
    return 0;
}
