// check: --property assert,reach-error,lock
// Who does not get the lock goes away.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, visits;

static void *visit(void *unused) {
    (void)unused;
    if (pthread_mutex_trylock(&lock) != 0)
        return NULL;
    inside++;
    assert(inside == 1);
    visits++;
    inside--;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, visit, NULL);
    pthread_create(&b, NULL, visit, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(visits == 1 || visits == 2);
    return 0;
}
