// check: --property assert,reach-error,lock
// The seat is looked at and taken in one critical section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1, passengers;

static void *book(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    if (seats > 0) {
        seats--;
        passengers++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, NULL, book, NULL);
    pthread_create(&b, NULL, book, NULL);
    pthread_create(&c, NULL, book, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    pthread_join(c, NULL);
    assert(passengers == 1);
    return 0;
}
