// run: --runs 100 --seed 1
// An acquire load alone does not help: the store it reads from must be a release.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return NULL;
}

int main(void) {
    pthread_t thread;
    int seen = 0;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        seen = data; //~ error[race]
    pthread_join(thread, NULL);
    return seen > 1;
}
