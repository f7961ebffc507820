// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// The variable is gone when main returns, and the thread may still be counting in it.
#include <pthread.h>

static void *count(void *number) {
    ++*(int *)number; //~ error[memory]
    return NULL;
}

int main(void) {
    int number = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, count, &number);
    return 0;
}
