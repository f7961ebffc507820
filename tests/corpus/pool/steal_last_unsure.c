// The same with an owner that takes the last task without asking: the thief may have it as well.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int top, bottom = 1;
static atomic_int taken;

static void *steal(void *unused) {
    int first = top;
    if (first < bottom && atomic_compare_exchange_strong(&top, &first, first + 1))
        taken++;
    return unused;
}

static void take(void) {
    int last = bottom - 1;
    bottom = last;
    if (top <= last)
        taken++;
}

int main(void) {
    pthread_t thief;
    pthread_create(&thief, NULL, steal, NULL);
    take();
    pthread_join(thief, NULL);
    assert(taken == 1);
    return 0;
}
