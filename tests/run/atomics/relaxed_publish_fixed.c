// run: --runs 100 --seed 1
// The flag is written with release and read with acquire: the data is ordered with it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *publish(void *unused) {
    (void)unused;
    data = 1;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, publish, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 1);
    pthread_join(thread, NULL);
    return 0;
}
