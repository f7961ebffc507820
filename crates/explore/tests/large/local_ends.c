/* A step writes to a large local and ends it. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int shared;

static void work(int number)
{
    int table[200];
    table[3] = number;
    atomic_load(&shared);
    table[5] = 1;
}

static void *worker(void *unused)
{
    for (int i = 0; i < 3; i++)
        work(i);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    work(7);
    pthread_join(thread, 0);
    return 0;
}
