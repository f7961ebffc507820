// events: --property assert
// Memory of the heap that nobody else can reach is no event.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *other(void *unused) {
    x = 1;
    assert(x != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    int *p = malloc(sizeof *p);
    *p = 3;
    x = *p;
    free(p);
    return 0;
}
