// check: --property assert,race
// A counter in memory that a locked instruction increments.
#include <assert.h>
#include <pthread.h>

static int count;

static void *work(void *unused) {
    __asm__ __volatile__("lock; incl %0" : "+m"(count));
    __asm__ __volatile__("lock addl %1, %0" : "+m"(count) : "ir"(2));
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 6);
    return 0;
}
