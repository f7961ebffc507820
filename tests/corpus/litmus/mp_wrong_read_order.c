// Message passing with a receiver that reads the data first: the message may come between its two reads.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *send(void *unused) {
    atomic_store(&data, 42);
    atomic_store(&flag, 1);
    return unused;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    int read = atomic_load(&data);
    int ready = atomic_load(&flag);
    assert(!ready || read == 42);
    pthread_join(sender, NULL);
    return 0;
}
