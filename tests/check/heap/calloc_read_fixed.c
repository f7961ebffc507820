// check: --property assert,reach-error,lock
// What calloc has put there is read before it is overwritten: zero.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int *shared;

static void *look(void *unused) {
    int *p = shared;
    if (p)
        assert(*p == 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    int *p = calloc(1, sizeof *p);
    int before = *p;
    *p = 5;
    shared = p;
    assert(before == 0);
    return 0;
}
