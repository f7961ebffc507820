// 906266. valid-memory: violated
// The section uses a local of its own whose scope has ended. It is undone, and with it the object of the finding.
#include <pthread.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
pthread_t t0;
void *thread0(void *arg) {
    int r0 = 0;
    __VERIFIER_atomic_begin();
    int *p = 0;
    for (int k = 0; k < 2; k++) {
        int c = r0 + k;
        if (p) r0 += *p;
        p = &c;
    }
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_create(&t0, 0, thread0, 0);
    pthread_join(t0, 0);
    return 0;
}
