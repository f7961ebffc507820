// Main polls under a mutex whether a thread is done. REST is what it does between two looks.
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done, result;

static void *work(void *unused) {
    result = 1;
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    for (;;) {
        pthread_mutex_lock(&lock);
        int is_done = done;
        pthread_mutex_unlock(&lock);
        if (is_done)
            break;
        REST;
    }
    assert(result == 1);
    pthread_join(thread, NULL);
    return 0;
}
