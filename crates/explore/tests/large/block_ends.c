/* A step writes to a large block of the heap and frees it. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int shared;

static void *worker(void *unused)
{
    int *block = malloc(1000);
    if (!block)
        return unused;
    block[4] = 1;
    atomic_load(&shared);
    __VERIFIER_atomic_begin();
    block[5] = 1;
    free(block);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    worker(0);
    pthread_join(thread, 0);
    return 0;
}
