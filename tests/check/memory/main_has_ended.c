// check: --property memory
// A thread uses a variable of main, which has called pthread_exit; the handlers of exit run when the last thread has ended.
#include <pthread.h>
#include <stdlib.h>

static void handler(void)
{
}

static void *work(void *argument)
{
    *(int *)argument = 1; //~ error[memory]
    return argument;
}

int main(void)
{
    int own;
    pthread_t thread;
    atexit(handler);
    pthread_create(&thread, 0, work, &own);
    pthread_exit(0);
}
