/* One thread looks for the last zero of an array from its end, N others set a[i] from a[i - 1]. What it reads next depends on what
 * it has read, so a search that only avoids what it has seen meets many dead ends. There are 2^(N-2) * (N+3) traces. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 5
#endif

static atomic_int a[N + 1];

static void *look(void *arg)
{
    (void)arg;
    int i = N;
    while (atomic_load(&a[i]) != 0)
        i--;
    return 0;
}

static void *set(void *arg)
{
    long i = (long)arg;
    atomic_store(&a[i], atomic_load(&a[i - 1]) + 1);
    return 0;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[0], 0, look, 0);
    for (long i = 1; i <= N; i++)
        pthread_create(&t[i], 0, set, (void *)i);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], 0);
    return 0;
}
