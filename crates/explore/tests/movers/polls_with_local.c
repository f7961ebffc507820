/* Waits for ever for a flag that nobody sets. Meanwhile nothing changes but a local, in memory. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void look(int *seen)
{
    *seen = -1;
    *seen = atomic_load(&flag);
}

static void *wait_for_flag(void *unused)
{
    int seen;
    do {
        look(&seen);
    } while (!seen);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, wait_for_flag, 0);
    pthread_join(thread, 0);
    return 0;
}
