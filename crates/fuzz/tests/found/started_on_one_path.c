// 38841. no-leak: violated
// Where the program ends, a path that never started the thread joins one that did. It had not allocated the lost
// memory, but was given the state of the other path.
#include <pthread.h>
#include <stdlib.h>
unsigned __VERIFIER_nondet_uint(void);
int i0;
pthread_t t1;
void *thread1(void *arg) {
    if (i0 == 1) abort();
    return 0;
}
int main(void) {
    if (__VERIFIER_nondet_uint() > 2) return 0;
    int *p4 = malloc(4);
    pthread_create(&t1, 0, thread1, 0);
}
