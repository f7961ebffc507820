// Four philosophers, four forks. Everybody takes the fork with the lower number first, so no circle can close.
#include <pthread.h>

enum { SEATS = 4 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static void *philosopher(void *seat_pointer) {
    int seat = *(int *)seat_pointer;
    int next = (seat + 1) % SEATS;
    int low = seat < next ? seat : next, high = seat < next ? next : seat;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&forks[low]);
        pthread_mutex_lock(&forks[high]);
        meals[seat]++;
        pthread_mutex_unlock(&forks[high]);
        pthread_mutex_unlock(&forks[low]);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[SEATS];
    int seats[SEATS];
    for (int i = 0; i < SEATS; i++) {
        seats[i] = i;
        pthread_create(&threads[i], NULL, philosopher, &seats[i]);
    }
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
