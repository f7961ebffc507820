// check: --property assert,race
// A ticket lock: xadd draws a number, and whoever has the number that is served goes on.
#include <assert.h>
#include <pthread.h>

static volatile unsigned short next, served;
static int count;

static void *work(void *unused) {
    unsigned short mine = 1, now;
    __asm__ __volatile__("lock xaddw %0, %1" : "+r"(mine), "+m"(next) : : "memory");
    do
        __asm__ __volatile__("movw %1, %0" : "=r"(now) : "m"(served) : "memory");
    while (now != mine);
    count++;
    __asm__ __volatile__("lock; incw %0" : "+m"(served) : : "memory");
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
