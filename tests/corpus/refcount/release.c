// Counted references: the last one to let go frees the object.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef N
#define N 2
#endif

struct object {
    atomic_int references;
    int value;
};

static void *user(void *argument) {
    struct object *object = argument;
    assert(object->value == 7);
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, N);
    object->value = 7;
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, user, object);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
