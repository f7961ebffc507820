// run: --runs 100 --seed 1
// The flag is written and read relaxed: atomic, but without order for the data.
#include <assert.h>
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
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        assert(data == 1); //~ error[race]
    pthread_join(thread, NULL);
    return 0;
}
