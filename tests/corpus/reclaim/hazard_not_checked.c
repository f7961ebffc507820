// A reader that announces its object and does not look again: the writer may have looked before the announcement.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic current, *_Atomic hazard;
static int seen;

static int *make(int value) {
    int *object = malloc(sizeof *object);
    *object = value;
    return object;
}

static void *reader(void *unused) {
    int *mine = current;
    hazard = mine;
    seen = *mine;
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
