// events: --property assert
// What comes after an assumption takes part only where it holds.
#include <pthread.h>

static int x;
void __VERIFIER_assume(int);

static void *other(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    __VERIFIER_assume(x == 1);
    return 0;
}
