// Two threads put an object of their own into a shared place, and the second overwrites the first, which nobody can
// free any more.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *latest;

static void *publish(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 1;
    pthread_mutex_lock(&lock);
    latest = fresh;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, publish, NULL);
    pthread_create(&b, NULL, publish, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(latest);
    return 0;
}
