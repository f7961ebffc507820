// check: --property stuck
// A ticket lock. Who is in a hurry takes a ticket only if it is its turn at once.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;

static void *use(void *patient) {
    unsigned mine = serving;
    if (patient)
        mine = atomic_fetch_add(&next, 1);
    else if (!atomic_compare_exchange_strong(&next, &mine, mine + 1))
        return NULL;
    while (serving != mine)
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
