// check: --property race
// Who signals knows nothing of those that wait, even with other mutexes.
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int flag;
static int data;

static void *first(void *unused) {
    pthread_mutex_lock(&mutex);
    data = 1;
    struct timespec soon = {1, 0};
    pthread_cond_timedwait(&condition, &mutex, &soon);
    pthread_mutex_unlock(&mutex);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, first, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed)) {
        pthread_cond_signal(&condition);
        data = 2; //~ error[race]
    }
    pthread_join(t, NULL);
    return 0;
}
