// check: --property race
// An address that is copied bit by bit is an address, and the other variable is not shared.
#include <pthread.h>
#include <stdint.h>

static int x, y;
static uintptr_t copy;

static void *write_to_copy(void *unused) {
    *(int *)copy = 1;
    return unused;
}

int main(void) {
    uintptr_t address = (uintptr_t)&x;
    for (int i = 0; i < 64; i++)
        if (address >> i & 1)
            copy |= (uintptr_t)1 << i;
    pthread_t t;
    pthread_create(&t, NULL, write_to_copy, NULL);
    y = 2;
    pthread_join(t, NULL);
    return y;
}
