/* N threads put four numbers each into a hash table with compare-and-exchange; the first collisions come with N = 12 (8 traces),
 * then 64, 512 and 4096 for N = 13, 14 and 15. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 12
#endif

enum { SIZE = 128, EACH = 4 };

static atomic_int table[SIZE];

static void *put(void *arg)
{
    int me = (int)(long)arg;
    for (int m = 1; m <= EACH; m++) {
        int w = m * 11 + me;
        int h = w * 7 % SIZE;
        int none = 0;
        while (!atomic_compare_exchange_strong(&table[h], &none, w)) {
            h = (h + 1) % SIZE;
            none = 0;
        }
    }
    return 0;
}

int main(void)
{
    pthread_t t[N];
    for (long i = 0; i < N; i++)
        pthread_create(&t[i], 0, put, (void *)i);
    for (int i = 0; i < N; i++)
        pthread_join(t[i], 0);
    return 0;
}
