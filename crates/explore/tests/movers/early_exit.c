/* The program may end while a thread has memory that it frees later. */
#include <pthread.h>
#include <stdlib.h>

static void *use(void *unused)
{
    free(malloc(4));
    return unused;
}

int main(void)
{
    pthread_t a;
    pthread_create(&a, 0, use, 0);
    return 0;
}
