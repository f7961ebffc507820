// Who tries to lock and fails knows that somebody holds the lock, but nothing of what that one did before: only a lock that
// was got synchronises. The mistake: to take the failure for a signal.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *holder(void *unused) {
    data = 1;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, holder, NULL);
    if (pthread_mutex_trylock(&lock) == 0) {
        pthread_mutex_unlock(&lock);
    } else {
#ifdef MISTAKE
        data = 2;
#else
        pthread_join(thread, NULL);
        data = 2;
        return 0;
#endif
    }
    pthread_join(thread, NULL);
    return 0;
}
