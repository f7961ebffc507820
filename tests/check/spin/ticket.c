// check: --property assert,reach-error,lock
// Two threads can draw the same ticket.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int inside;

static void *enter(void *unused) {
    (void)unused;
    unsigned mine = next;
    next = mine + 1;
    while (atomic_load(&serving) != mine) {
    }
    inside++;
    assert(inside == 1); //~ error[assert]
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
