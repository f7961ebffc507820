// Two threads both find the object there, and both free it: the look and the change of the pointer are two steps.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic object;

static void *dispose(void *unused) {
    int *mine = object;
    if (mine) {
        object = NULL;
        free(mine);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    object = malloc(sizeof *object);
    pthread_create(&a, NULL, dispose, NULL);
    pthread_create(&b, NULL, dispose, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
