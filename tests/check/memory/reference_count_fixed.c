// check: --property use-after-free
// The count is given back and read in one step: one user sees that it has come to zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int users;
    int value;
};

static void release(struct shared *s) {
    if (atomic_fetch_sub(&s->users, 1) == 1)
        free(s);
}

static void *use(void *argument) {
    release(argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    struct shared *s = malloc(sizeof *s);
    atomic_init(&s->users, 2);
    s->value = 1;
    pthread_create(&thread, NULL, use, s);
    release(s);
    pthread_join(thread, NULL);
    return 0;
}
