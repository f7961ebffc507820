// check: --property race
// The section waits for a flag that is set before the other write, and not after it: nothing orders the two.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static int data, ready;

static void *waits(void *unused)
{
    __VERIFIER_atomic_begin();
    data = 1; //~ error[race]
    __VERIFIER_assume(ready == 1);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    data = 2;
    pthread_join(thread, 0);
    return 0;
}
