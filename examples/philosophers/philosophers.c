// Four philosophers, four forks. Everybody takes the left fork first; when all have done so, all wait for ever.
#include <pthread.h>

enum { SEATS = 4 };

static pthread_mutex_t forks[SEATS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                       PTHREAD_MUTEX_INITIALIZER};
static int meals[SEATS];

static void *philosopher(void *seat_pointer) {
    int seat = *(int *)seat_pointer;
    int left = seat, right = (seat + 1) % SEATS;
    for (int i = 0; i < 2; i++) {
        pthread_mutex_lock(&forks[left]);
        pthread_mutex_lock(&forks[right]);
        meals[seat]++;
        pthread_mutex_unlock(&forks[right]);
        pthread_mutex_unlock(&forks[left]);
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
