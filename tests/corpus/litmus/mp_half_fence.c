// Message passing with a fence on the sender's side only: the receiver's relaxed load acquires nothing.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *send(void *unused) {
    data = 42;
    atomic_thread_fence(memory_order_release);
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender;
    int read = 0;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&flag, memory_order_relaxed))
        read = data;
    pthread_join(sender, NULL);
    return read == 1;
}
