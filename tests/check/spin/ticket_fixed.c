// check: --property assert,reach-error,lock
// A ticket lock: who holds the number that is being served is inside, alone.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int inside;

static void *enter(void *unused) {
    (void)unused;
    unsigned mine = atomic_fetch_add(&next, 1);
    while (atomic_load(&serving) != mine) {
    }
    inside++;
    assert(inside == 1);
    inside--;
    atomic_fetch_add(&serving, 1);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, enter, NULL);
    pthread_create(&b, NULL, enter, NULL);
    pthread_create(&c, NULL, enter, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    return 0;
}
