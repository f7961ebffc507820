// A vector under a lock grows and moves; a thread that kept the old address from an earlier critical section writes
// there.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *vector, size = 1;

static void *grow(void *unused) {
    pthread_mutex_lock(&lock);
    int *larger = malloc(2 * size * sizeof *larger);
    larger[0] = vector[0];
    free(vector);
    vector = larger;
    size *= 2;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    vector = malloc(sizeof *vector);
    vector[0] = 1;
    pthread_create(&thread, NULL, grow, NULL);
    pthread_mutex_lock(&lock);
    int *first = &vector[0];
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    *first = 2;
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    free(vector);
    return 0;
}
