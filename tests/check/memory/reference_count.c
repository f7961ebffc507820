// check: --property use-after-free
// The count is read after it was given back: two users may both see that it has come to zero.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct shared {
    atomic_int users;
    int value;
};

static void release(struct shared *s) {
    atomic_fetch_sub(&s->users, 1);
    if (atomic_load(&s->users) == 0) //~ error[memory]
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
