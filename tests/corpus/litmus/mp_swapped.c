// Message passing with the flag raised too early: the receiver may look in between and find no data.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *send(void *unused) {
    atomic_store(&flag, 1);
    atomic_store(&data, 42);
    return unused;
}

int main(void) {
    pthread_t sender;
    pthread_create(&sender, NULL, send, NULL);
    if (atomic_load(&flag))
        assert(atomic_load(&data) == 42);
    pthread_join(sender, NULL);
    return 0;
}
