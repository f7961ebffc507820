// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// Both functions wait for the thread before they return.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) outer, inner;
static pthread_t thread;

static void called(void) {
    int local = 0;
    inner = &local;
    pthread_join(thread, NULL);
}

static void call(void) {
    int local = 1;
    outer = &local;
    called();
}

static void *use(void *unused) {
    int *seen = outer;
    if (seen)
        *seen = 9;
    return unused;
}

int main(void) {
    pthread_create(&thread, NULL, use, NULL);
    call();
    return 0;
}
