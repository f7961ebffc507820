// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// The address of a local outlives the function, which has told others about it.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) current;

static void *work(void *unused) {
    int mine = 1;
    current = &mine;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int *seen = current;
    int value = seen ? *seen : 0; //~ error[memory]
    pthread_join(thread, NULL);
    return value;
}
