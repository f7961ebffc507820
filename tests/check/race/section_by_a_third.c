// check: --property race
// Only after a third thread has raised the flag does the section write what the first thread writes as well.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, flag;

static void *write_if(void *unused) {
    __VERIFIER_atomic_begin();
    if (flag)
        x = 1;
    __VERIFIER_atomic_end();
    return unused;
}

static void *raise_flag(void *unused) {
    __VERIFIER_atomic_begin();
    flag = 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t s, t;
    pthread_create(&s, NULL, write_if, NULL);
    pthread_create(&t, NULL, raise_flag, NULL);
    x = 2; //~ error[race]
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
