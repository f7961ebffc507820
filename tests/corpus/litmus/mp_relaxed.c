// Message passing of plain data behind a relaxed flag: seeing the flag orders nothing, so the data races.
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *send(void *unused) {
    data = 42;
    atomic_store_explicit(&flag, 1, memory_order_relaxed);
    return unused;
}

int main(void) {
    pthread_t sender;
    int read = 0;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load_explicit(&flag, memory_order_acquire))
        read = data;
    pthread_join(sender, NULL);
    return read == 1;
}
