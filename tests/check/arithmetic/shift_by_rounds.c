// check: --property arithmetic
// Each thread makes the amount larger, and nobody looks at how large it has become.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int amount = 15;

static void *grow(void *unused) {
    atomic_fetch_add(&amount, 16);
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, grow, NULL);
    pthread_create(&t, NULL, grow, NULL);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return (1u << amount) == 0; //~ error[arithmetic]
}
