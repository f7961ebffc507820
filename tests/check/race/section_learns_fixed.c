// check: --property race
// A section is one step: it comes after what the flag tells, also where it looks at the flag last.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int condition);

static int data, ready;

static void *waits(void *unused)
{
    __VERIFIER_atomic_begin();
    data = 1;
    __VERIFIER_assume(ready == 1);
    __VERIFIER_atomic_end();
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, waits, 0);
    data = 2;
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    pthread_join(thread, 0);
    return 0;
}
