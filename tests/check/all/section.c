// check: --all --property race
// An atomic section races at two places with ordinary writes; where it ends is its line in the report.
#include <pthread.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
static int x, y;

static void *section(void *unused) {
    __VERIFIER_atomic_begin();
    x = 1;
    y = 1;
    __VERIFIER_atomic_end();
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, section, NULL);
    x = 2; //~ error[race]
    y = 2; //~ error[race]
    pthread_join(thread, NULL);
    return 0;
}
