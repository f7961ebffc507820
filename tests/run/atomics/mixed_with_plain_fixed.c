// run: --runs 50 --seed 1
// All accesses to the counter are atomic.
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    (void)unused;
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    int seen = __atomic_load_n(&counter, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return seen > 1;
}
