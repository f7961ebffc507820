// check: --property assert
// One instruction is not one step: without lock, it reads and writes, and the other thread comes between.
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused) {
    __asm__ __volatile__("incl %0" : "+m"(count));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2); //~ error[assert]
    return 0;
}
