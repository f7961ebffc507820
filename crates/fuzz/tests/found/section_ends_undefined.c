// 903579. no-data-race: violated, valid-memory: violated
// The section dereferences the null pointer if it comes first. Where that is not checked, its thread stops there, and
// was taken never to have reached the section.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int i1 = 1;
int *np;
pthread_t t0, t1;
void *thread1(void *arg) {
    np = &i1;
    return 0;
}
void *thread0(void *arg) {
    __VERIFIER_atomic_begin();
    *np = 2;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_create(&t1, 0, thread1, 0);
    return 0;
}
