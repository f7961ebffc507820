// Bits that are set by a load and a store: one gets lost.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint bits;

static void *set(void *argument) {
    unsigned seen = bits;
    bits = seen | 1u << (intptr_t)argument;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, set, (void *)0);
    pthread_create(&b, NULL, set, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(bits == 3);
    return 0;
}
