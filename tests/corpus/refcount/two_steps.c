// The count is lowered and looked at in two steps: both threads find a zero, and free twice.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int references = 2;
static int *object;

static void *user(void *unused) {
    references--;
    if (references == 0)
        free(object);
    return unused;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
