// run: --runs 50 --seed 1
// The counter is increased atomically by one thread and read plainly by another.
#include <pthread.h>

static int counter;

static void *count(void *unused) {
    (void)unused;
    __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST); //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, count, NULL);
    int seen = counter;
    pthread_join(thread, NULL);
    return seen > 1;
}
