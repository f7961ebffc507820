// check: --property lock
// Made once, before there are threads; also a recursive one is one, and one that is locked by each of the functions.
#include <threads.h>

static mtx_t lock, again;
static int count;

static int add(void *unused) {
    mtx_lock(&again);
    while (mtx_trylock(&again) != thrd_success)
        ;
    mtx_lock(&lock);
    count++;
    mtx_unlock(&lock);
    mtx_unlock(&again);
    mtx_unlock(&again);
    return unused != NULL;
}

int main(void) {
    thrd_t t;
    mtx_init(&lock, mtx_plain);
    mtx_init(&again, mtx_plain | mtx_recursive);
    thrd_create(&t, add, NULL);
    add(NULL);
    thrd_join(t, NULL);
    mtx_destroy(&again);
    mtx_destroy(&lock);
    return 0;
}
