// A hazard pointer: a reader says which object it is going to use, and looks whether it is still the current one. The
// writer frees the old object only when nobody has announced it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current, *_Atomic hazard;

static int *make(int value) {
    int *object = malloc(sizeof *object);
    *object = value;
    return object;
}

static void *reader(void *unused) {
    int *mine;
    do {
        mine = current;
        hazard = mine;
    } while (current != mine);
    assert(*mine == 1 || *mine == 2);
    hazard = NULL;
    return unused;
}

int main(void) {
    pthread_t thread;
    current = make(1);
    pthread_create(&thread, NULL, reader, NULL);
    int *fresh = make(2), *old = atomic_exchange(&current, fresh);
    while (hazard == old) {
    }
    free(old);
    pthread_join(thread, NULL);
    free(fresh);
    return 0;
}
