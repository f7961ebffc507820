// 30830. no-data-race: safe
// The section never completes: its reads do not happen, and race with nothing.
#include <pthread.h>
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned x = 2;
int y = 1;
pthread_t t0, t1;
void *thread1(void *arg) {
    __VERIFIER_atomic_begin();
    int r2 = y;
    __VERIFIER_assume(x > 2);
    __VERIFIER_atomic_end();
    return 0;
}
void *thread0(void *arg) {
    pthread_create(&t1, 0, thread1, 0);
    y = 0;
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    return 0;
}
