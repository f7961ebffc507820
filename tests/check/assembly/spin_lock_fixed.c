// check: --property all
// A spin lock as libraries write it by hand: xchg takes it, a mov after which nothing may move releases it.
#include <assert.h>
#include <pthread.h>

static volatile int lock;
static int count;

static void acquire(volatile int *l) {
    int taken;
    do {
        taken = 1;
        __asm__ __volatile__("xchgl %0, %1" : "+r"(taken), "+m"(*l) : : "memory");
        if (taken)
            __asm__ __volatile__("pause");
    } while (taken);
}

static void release(volatile int *l) {
    __asm__ __volatile__("movl $0, %0" : "=m"(*l) : : "memory");
}

static void *work(void *unused) {
    acquire(&lock);
    count++;
    release(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count == 2);
    return 0;
}
