// run: --runs 50 --seed 1
// Each access is atomic, but the increment is made of two of them.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
    (void)unused;
    int value = atomic_load(&counter);
    atomic_store(&counter, value + 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2); //~ error[assert]
    return 0;
}
