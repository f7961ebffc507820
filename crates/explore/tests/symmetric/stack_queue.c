/* A queue lock whose nodes lie on the stacks of the threads that wait (Mellor-Crummey and Scott 1991). */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct waiter {
    struct waiter *_Atomic next;
    atomic_int is_locked;
};

static struct waiter *_Atomic last;
static int inside, count;

static void *work(void *unused)
{
    struct waiter own = {0, 1};
    struct waiter *before = atomic_exchange(&last, &own);
    if (before) {
        atomic_store(&before->next, &own);
        while (atomic_load(&own.is_locked))
            ;
    }
    assert(inside == 0);
    inside = 1;
    count++;
    inside = 0;
    struct waiter *expected = &own;
#ifdef BUG
    struct waiter *next = atomic_load(&own.next);
    if (!next)
        atomic_store(&last, 0); /* somebody may have come meanwhile */
    else
        atomic_store(&next->is_locked, 0);
    (void)expected;
#else
    if (!atomic_compare_exchange_strong(&last, &expected, 0)) {
        while (!atomic_load(&own.next))
            ;
        atomic_store(&atomic_load(&own.next)->is_locked, 0);
    }
#endif
    return unused;
}

int main(void)
{
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], 0);
    assert(count == 3);
    return 0;
}
