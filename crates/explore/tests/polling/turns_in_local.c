/* Two threads pass a turn for ever, through a local of main: neither waits for ever. */
#include <pthread.h>
#include <stdatomic.h>

static void *ping(void *turn)
{
    for (;;) {
        while (atomic_load((atomic_int *)turn) != 0)
            ;
        atomic_store((atomic_int *)turn, 1);
    }
}

static void *pong(void *turn)
{
    for (;;) {
        while (atomic_load((atomic_int *)turn) != 1)
            ;
        atomic_store((atomic_int *)turn, 0);
    }
}

int main(void)
{
    atomic_int turn;
    pthread_t a, b;
    atomic_init(&turn, 0);
    pthread_create(&a, 0, ping, &turn);
    pthread_create(&b, 0, pong, &turn);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
