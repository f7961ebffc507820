// Message passing of plain data: the release store of the flag and the acquire load that sees it order the accesses to
// the data, which therefore do not race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_release);
    return unused;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        assert(data == 42);
    pthread_join(sender, NULL);
    return 0;
}
