// check: --property stuck
// A ticket lock. Who gives up while it waits keeps its ticket, so that its turn never passes.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void *use(void *patient) {
    unsigned mine = atomic_fetch_add(&next, 1);
    if (!patient && serving != mine)
        return NULL;
    while (serving != mine) //~ error[stuck]
        ;
    serving = mine + 1;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, &a);
    use(&a);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
