// run: --runs 50 --seed 1
// Every thread thinks it is the one that the barrier singles out.
#include <assert.h>
#include <pthread.h>

static pthread_barrier_t barrier;
static int summaries;

static void *work(void *unused) {
    (void)unused;
    pthread_barrier_wait(&barrier);
    summaries++; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    assert(pthread_barrier_init(&barrier, NULL, 3) == 0);
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    work(NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(summaries == 1);
    assert(pthread_barrier_destroy(&barrier) == 0);
    return 0;
}
