// check: --property race
// Whatever the section finds, it writes `x`: also while the other thread does.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static int closed, x;

static void *in_section(void *unused) {
    __VERIFIER_atomic_begin();
    x = closed ? 2 : 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *after_section(void *unused) {
    __VERIFIER_atomic_begin();
    closed = 1;
    __VERIFIER_atomic_end();
    x = 3; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, in_section, NULL);
    pthread_create(&b, NULL, after_section, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
