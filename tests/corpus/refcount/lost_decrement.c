// The count is lowered by a load and a store: one of two decrements is lost, and nobody frees the object.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references;
};

static void *user(void *argument) {
    struct object *object = argument;
    int left = atomic_load(&object->references) - 1;
    atomic_store(&object->references, left);
    if (left == 0)
        free(object);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    pthread_create(&a, NULL, user, object);
    pthread_create(&b, NULL, user, object);
    object = NULL;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
