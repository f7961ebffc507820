/* One writer, N readers of one variable: each reader is before or after the write, so there are 2^N traces. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 4
#endif

static atomic_int x;

static void *writer(void *arg)
{
    (void)arg;
    atomic_store(&x, 1);
    return 0;
}

static void *reader(void *arg)
{
    (void)arg;
    (void)atomic_load(&x);
    return 0;
}

int main(void)
{
    pthread_t t[N + 1];
    pthread_create(&t[0], 0, writer, 0);
    for (int i = 1; i <= N; i++)
        pthread_create(&t[i], 0, reader, 0);
    for (int i = 0; i <= N; i++)
        pthread_join(t[i], 0);
    return 0;
}
