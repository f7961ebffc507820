// check: --property race
// The count is atomic, but relaxed: the last user frees what the others may still have been writing.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static struct shared {
    atomic_int users;
    int value[2];
} *shared;

static void *use(void *argument) {
    shared->value[argument != NULL] = 1;
    if (atomic_fetch_sub_explicit(&shared->users, 1, memory_order_relaxed) == 1)
        free(shared); //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    shared = malloc(sizeof *shared);
    atomic_init(&shared->users, 2);
    pthread_create(&thread, NULL, use, NULL);
    use(&thread);
    pthread_join(thread, NULL);
    return 0;
}
