// check: --property assert,reach-error,lock
// A struct is copied with memcpy while it is written: the copy is half old and half new.
#include <assert.h>
#include <pthread.h>
#include <string.h>

struct pair {
    long low, high;
};
static struct pair shared = {1, 2};

static void *write(void *unused) {
    (void)unused;
    struct pair next = {11, 12};
    memcpy(&shared, &next, sizeof next);
    return NULL;
}

int main(void) {
    pthread_t a;
    struct pair seen;
    pthread_create(&a, NULL, write, NULL);
    memcpy(&seen, &shared, sizeof seen);
    assert(seen.high == seen.low + 1); //~ error[assert]
    pthread_join(a, NULL);
    return 0;
}
