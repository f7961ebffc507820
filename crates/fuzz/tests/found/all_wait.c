// 2005. not-stuck: safe, no-deadlock: violated
// A few steps change nothing, and then the only running thread blocks: it does not loop.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x = 1;
pthread_barrier_t ba;
int main(void) {
    pthread_barrier_init(&ba, 0, 2);
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(x > 1);
    __VERIFIER_atomic_end();
}
