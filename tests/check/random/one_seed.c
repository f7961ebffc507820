// check: --property assert
// A program that sets one seed first cannot tell its numbers from any numbers.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

static int drawn;

static void *worker(void *unused) {
    drawn = rand() % 6;
    return unused;
}

int main(void) {
    pthread_t t;
    srand((unsigned)time(NULL));
    pthread_create(&t, NULL, worker, NULL);
    int own = rand() % 6;
    pthread_join(t, NULL);
    assert(own + drawn < 10); //~ error[assert]
    return 0;
}
