// check: --property assert,reach-error,lock
// The seat is looked at in one critical section and taken in the next.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int seats = 1, passengers;

static void *book(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    bool is_free = seats > 0;
    pthread_mutex_unlock(&lock);
    if (is_free) {
        pthread_mutex_lock(&lock);
        seats--;
        passengers++;
        pthread_mutex_unlock(&lock);
    }
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
    assert(passengers == 1); //~ error[assert]
    return 0;
}
