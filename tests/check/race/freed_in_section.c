// check: --property race
// That it is freed in a section does not keep the other thread from using it at that moment.
#include <pthread.h>
#include <stdlib.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int *shared;

static void *frees(void *unused)
{
    __VERIFIER_atomic_begin();
    free(shared); //~ error[race]
    __VERIFIER_atomic_end();
    return unused;
}

static void *uses(void *unused)
{
    *shared = 1;
    return unused;
}

int main(void)
{
    pthread_t a, b;
    shared = malloc(sizeof *shared);
    pthread_create(&a, 0, uses, 0);
    pthread_create(&b, 0, frees, 0);
    return 0;
}
