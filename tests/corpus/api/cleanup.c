// A cleanup handler gives the lock back when the thread leaves early.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int visits;

static void unlock(void *unused) {
    (void)unused;
    pthread_mutex_unlock(&lock);
}

static void *visit(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, NULL);
    visits++;
    if (visits == 1)
        pthread_exit(NULL);
    pthread_cleanup_pop(1);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visits == 2);
    return 0;
}
