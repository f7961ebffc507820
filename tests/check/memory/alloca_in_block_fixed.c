// check: --property memory
// What alloca gives lives as long as the function, not as the block.
#include <alloca.h>
#include <pthread.h>

static void *work(void *argument)
{
    *(int *)argument = 1;
    return argument;
}

int main(void)
{
    pthread_t thread;
    {
        int *memory = alloca(sizeof *memory);
        pthread_create(&thread, 0, work, memory);
    }
    pthread_join(thread, 0);
    return 0;
}
