// A release sequence that is broken: the third thread reads the flag and stores to it again, relaxed. Its store is not
// part of the sequence, so who sees it knows nothing of the data.
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
    if (atomic_load_explicit(&flag, memory_order_relaxed) == 1)
        atomic_store_explicit(&flag, 2, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender, middle;
    int read = 0;
    pthread_create(&sender, NULL, send, NULL);
    pthread_create(&middle, NULL, pass_on, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire) == 2)
        read = data;
    pthread_join(sender, NULL);
    pthread_join(middle, NULL);
    return read == 1;
}
