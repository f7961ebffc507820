// check: --property assert,reach-error,lock
// Whatever the address is, one entry of the table is taken.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int items[20], table[8];
static int *current = items;

static void *walk(void *unused) {
    for (int i = 0; i < 20; i++)
        current = &items[i];
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, walk, NULL);
    int *seen = current;
    table[(uintptr_t)seen / sizeof(int) % 8] = 1;
    int sum = 0;
    for (int i = 0; i < 8; i++)
        sum += table[i];
    assert(sum == 1);
    return 0;
}
