// A lock that waits until a moment reads that moment. The mistake: another thread changes it meanwhile.
#include <pthread.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct timespec deadline;

static void *waiter(void *unused) {
    if (pthread_mutex_timedlock(&lock, &deadline) == 0)
        pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    deadline.tv_sec = 1;
    pthread_create(&thread, NULL, waiter, NULL);
#ifdef MISTAKE
    deadline.tv_sec++;
#endif
    pthread_join(thread, NULL);
    return 0;
}
