// check: --property assert,reach-error,lock
// A lock for each slot, and it is held where the slot is used.
#include <assert.h>
#include <pthread.h>
#include <threadproof.h>

struct slot {
    pthread_mutex_t lock;
    char tag;
    int debit, credit;
};
static struct slot slots[3] = {
    {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}, {.lock = PTHREAD_MUTEX_INITIALIZER}};
static unsigned chosen;

static void *move(void *unused) {
    struct slot *slot = &slots[chosen];
    pthread_mutex_lock(&slot->lock);
    slot->tag = 1;
    slot->debit--;
    slot->credit++;
    pthread_mutex_unlock(&slot->lock);
    return unused;
}

int main(void) {
    chosen = tp_input_uint("chosen");
    tp_assume(chosen < 3);
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    pthread_mutex_lock(&slots[chosen].lock);
    assert(slots[chosen].debit + slots[chosen].credit == 0);
    pthread_mutex_unlock(&slots[chosen].lock);
    pthread_join(thread, NULL);
    return 0;
}
