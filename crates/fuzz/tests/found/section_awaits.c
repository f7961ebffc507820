// 602350. no-data-race: violated, unreach-call: safe
// The section waits for the other thread's write, so that both are never about to make their accesses at the same time.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int z;
pthread_t t0, t1;
void *thread1(void *arg) {
    __VERIFIER_atomic_begin();
    __VERIFIER_assume(z == 1);
    __VERIFIER_atomic_end();
    return 0;
}
void *thread0(void *arg) {
    z++;
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
}
