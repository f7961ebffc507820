// check: --all --property stuck
// Which loop the thread is left in depends on the input. One is reported; that there may be others is said.
#include <pthread.h>

int __VERIFIER_nondet_int(void);
_Atomic int opened, closed;

static void *wait(void *unused) {
    if (__VERIFIER_nondet_int())
        while (!opened)
            ;
    else
        while (!closed) //~ error[stuck]
            ;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, wait, NULL);
    pthread_join(t, NULL);
    return 0;
}
