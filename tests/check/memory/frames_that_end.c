// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// Two functions return right after one another, and what others know of the outer one is gone with it.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) outer, inner;

static void called(void) {
    int local = 0;
    inner = &local;
}

static void call(void) {
    int local = 1;
    outer = &local;
    called();
}

static void *use(void *unused) {
    int *seen = outer;
    if (seen)
        *seen = 9; //~ error[memory]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    call();
    pthread_join(thread, NULL);
    return 0;
}
