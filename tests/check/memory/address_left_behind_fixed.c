// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// What others are told about is there as long as the program.
#include <pthread.h>
#include <stdatomic.h>

static _Atomic(int *) current;

static void *work(void *unused) {
    static int mine = 1;
    current = &mine;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    int *seen = current;
    int value = seen ? *seen : 0;
    pthread_join(thread, NULL);
    return value;
}
