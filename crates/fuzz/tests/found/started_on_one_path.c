// 38841. no-leak: violated
// Where the program ends, a way on which the thread was never started meets the other one: it had not made the memory
// that is lost, but was taken to have what the other way left.
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
