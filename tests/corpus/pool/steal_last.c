// A work-stealing deque with one task left: the owner takes it from the bottom, a thief from the top. Both lower or
// raise their end first; when they meet at the last task, compare and exchange of the top decides.
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
    int first = top;
    if (first < last) {
        taken++;
        return;
    }
    if (first == last && atomic_compare_exchange_strong(&top, &first, first + 1))
        taken++;
    bottom = last + 1;
}

int main(void) {
    pthread_t thief;
    pthread_create(&thief, NULL, steal, NULL);
    take();
    pthread_join(thief, NULL);
    assert(taken == 1);
    return 0;
}
