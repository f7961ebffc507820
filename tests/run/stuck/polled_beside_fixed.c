// run: --runs 100
// A thread waits for the mutex that others take and release in loops: it gets it at last, and ends the loops.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int done, ready;

static void *poll(void *unused) {
    for (;;) {
        pthread_mutex_lock(&lock);
        int now = done;
        pthread_mutex_unlock(&lock);
        if (now)
            return unused;
    }
}

static void *poll_reading(void *unused) {
    for (;;) {
        pthread_rwlock_rdlock(&table);
        int now = ready;
        pthread_rwlock_unlock(&table);
        if (now)
            return unused;
    }
}

static void *finish(void *unused) {
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    pthread_rwlock_wrlock(&table);
    ready = 1;
    pthread_rwlock_unlock(&table);
    return unused;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, poll, NULL);
    pthread_create(&threads[1], NULL, poll, NULL);
    pthread_create(&threads[2], NULL, poll_reading, NULL);
    pthread_create(&threads[3], NULL, finish, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
