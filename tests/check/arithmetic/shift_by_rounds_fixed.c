// check: --property arithmetic
// The amount is taken within the width.
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
    return (1u << (amount & 31)) == 0;
}
