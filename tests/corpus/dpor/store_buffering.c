/* Each of two threads writes its own variable and reads the other's, N times: the smallest program with more than one outcome, to
 * measure how many executions a second are explored. With N = 1 there are 4 traces, of which one cannot happen. */
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 1
#endif

static atomic_int x, y;

static void *left(void *arg)
{
    (void)arg;
    for (int i = 0; i < N; i++) {
        atomic_store(&x, i);
        (void)atomic_load(&y);
    }
    return 0;
}

static void *right(void *arg)
{
    (void)arg;
    for (int i = 0; i < N; i++) {
        atomic_store(&y, i);
        (void)atomic_load(&x);
    }
    return 0;
}

int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, left, 0);
    pthread_create(&b, 0, right, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
