// check: --property deadlock
// Three philosophers, each with the fork of the lower number first: the last one takes the other hand.
#include <pthread.h>

enum { SEATS = 3 };
static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};

static void *dine(void *argument) {
    int seat = *(int *)argument;
    int next = (seat + 1) % SEATS;
    pthread_mutex_t *one = &forks[seat < next ? seat : next], *other = &forks[seat < next ? next : seat];
    pthread_mutex_lock(one);
    pthread_mutex_lock(other);
    pthread_mutex_unlock(other);
    pthread_mutex_unlock(one);
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    int seats[SEATS] = {0, 1, 2};
    for (int i = 0; i < SEATS; i++)
        pthread_create(&threads[i], NULL, dine, &seats[i]);
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
