// events: --property deadlock
// Where deadlocks are looked for, a step that waits says when it cannot be passed.
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *unused) {
    pthread_mutex_lock(&m);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    pthread_mutex_lock(&m);
    return 0;
}
