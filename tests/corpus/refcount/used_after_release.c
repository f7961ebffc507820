// A last look at the object after its reference was given back.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct object {
    atomic_int references, uses;
};

static void *user(void *argument) {
    struct object *object = argument;
    if (atomic_fetch_sub(&object->references, 1) == 1)
        free(object);
    else
        object->uses++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    struct object *object = malloc(sizeof *object);
    atomic_init(&object->references, 2);
    atomic_init(&object->uses, 0);
    pthread_create(&a, NULL, user, object);
    pthread_create(&b, NULL, user, object);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
