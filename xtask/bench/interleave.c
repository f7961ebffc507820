// Two threads that read a shared table and write neighbouring elements of a shared array: every access is checked for
// races, and there are none.
#include <pthread.h>
#include <stdatomic.h>

#define ROUNDS 500000

static int table[16];
static int sums[2];
static atomic_int rounds;

static void *work(void *argument) {
    int *sum = argument;
    for (unsigned i = 0; i < ROUNDS; i++) {
        *sum = *sum + table[i & 15];
        if ((i & 15) == 0)
            atomic_fetch_add(&rounds, 1);
    }
    return 0;
}

int main(void) {
    for (int i = 0; i < 16; i++)
        table[i] = i & 3;
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], 0, work, &sums[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], 0);
    return sums[0] != sums[1];
}
