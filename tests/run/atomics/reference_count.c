// run: --runs 50 --seed 1
// The last reference is dropped with a relaxed decrement: the free races with the other thread's last use.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int references;
    int payload;
};

static void *use(void *argument) {
    struct shared *shared = argument;
    int value = shared->payload;
    if (atomic_fetch_sub_explicit(&shared->references, 1, memory_order_relaxed) == 1)
        free(shared); //~ error[race]
    return (void *)(size_t)value;
}

int main(void) {
    struct shared *shared = malloc(sizeof *shared);
    pthread_t a, b;
    atomic_init(&shared->references, 2);
    shared->payload = 3;
    pthread_create(&a, NULL, use, shared);
    pthread_create(&b, NULL, use, shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
