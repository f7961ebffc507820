// run: --runs 50 --seed 1
// A spin lock made of atomic_flag.
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static int counter;

static void *count(void *unused) {
    (void)unused;
    while (atomic_flag_test_and_set_explicit(&taken, memory_order_acquire)) {
    }
    counter++;
    atomic_flag_clear_explicit(&taken, memory_order_release);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter == 0;
}
