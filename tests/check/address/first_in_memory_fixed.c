// check: --property assert
// Whichever comes first: the order of three objects is an order, and always the same.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int a, b;
static int *c;
static int was_first;

static void *look(void *unused) {
    assert(was_first == ((char *)&a < (char *)&b));
    if ((char *)&a < (char *)&b && (char *)&b < (char *)c)
        assert((char *)&a < (char *)c);
    return unused;
}

int main(void) {
    c = malloc(sizeof *c);
    was_first = (char *)&a < (char *)&b;
    pthread_t t;
    pthread_create(&t, 0, look, 0);
    pthread_join(t, 0);
    free(c);
    return 0;
}
