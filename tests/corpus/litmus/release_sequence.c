// A release sequence: a third thread adds to the flag with a relaxed read-modify-write. Who acquires that value is
// still synchronised with the release store at the head, and may use the plain data.
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

static void *pass_on(void *unused) {
    atomic_fetch_add_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender, middle;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&middle, NULL, pass_on, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        assert(data == 42);
    pthread_join(sender, NULL);
    pthread_join(middle, NULL);
    return 0;
}
