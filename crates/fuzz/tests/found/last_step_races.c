// 14. unreach-call: violated, no-data-race: violated
// The write of `y` ends the program: the assertion after it fails. It was never an event, and raced with nothing.
#include <assert.h>
#include <pthread.h>
int i0, i1 = 1;
int y = 0;
int *gp = &i0;
_Bool __VERIFIER_nondet_bool(void);
void *thread2(void *arg) {
    int *p4 = __VERIFIER_nondet_bool() ? &y : gp;
    int r0 = *p4;
    return 0;
}
void *thread0(void *arg) {
    int r2 = 2;
    y += __VERIFIER_nondet_bool();
    assert(r2 != 2);
    return 0;
}
int main(void) {
    pthread_t t0, t2;
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t2, 0, thread2, 0);
    return 0;
}
