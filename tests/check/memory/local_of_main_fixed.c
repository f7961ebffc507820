// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// The thread has ended before the variable does.
#include <pthread.h>

static void *count(void *number) {
    ++*(int *)number;
    return NULL;
}

int main(void) {
    int number = 0;
    pthread_t thread;
    pthread_create(&thread, NULL, count, &number);
    pthread_join(thread, NULL);
    return 0;
}
