// 42994. no-deadlock: safe, no-leak: safe
// Memory that an attempt at a section had allocated and read was still watched after the attempt was undone.
#include <pthread.h>
#include <stdlib.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void __VERIFIER_assume(int);
static int ready;
static void *wait_for(void *unused) {
    __VERIFIER_atomic_begin();
    int *own = malloc(sizeof *own);
    *own = 1;
    __VERIFIER_assume(ready == *own);
    free(own);
    __VERIFIER_atomic_end();
    return unused;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, wait_for, 0);
    __VERIFIER_atomic_begin();
    ready = 1;
    __VERIFIER_atomic_end();
    pthread_join(a, 0);
    return 0;
}
