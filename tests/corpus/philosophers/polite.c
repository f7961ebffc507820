// A philosopher that does not get its second fork puts the first one down again and goes hungry. Nobody waits for ever.
// The mistake: that somebody always eats. Both may take one fork, find the other taken, and give up.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t fork[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int meals;

static void *dine(void *argument) {
    pthread_mutex_t *first = argument, *second = first == &fork[0] ? &fork[1] : &fork[0];
    pthread_mutex_lock(first);
    if (pthread_mutex_trylock(second) == 0) {
        meals++;
        pthread_mutex_unlock(second);
    }
    pthread_mutex_unlock(first);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, dine, &fork[0]);
    pthread_create(&b, NULL, dine, &fork[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
#ifdef MISTAKE
    assert(meals >= 1);
#else
    assert(meals <= 2);
#endif
    return 0;
}
