// check: --property assert,reach-error,lock
// A larger one does not.
#include <assert.h>
#include <pthread.h>

#define ROUNDS 3
static int i = 1, j = 1;

static void *left(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++)
        i += j;
    return NULL;
}

static void *right(void *unused) {
    (void)unused;
    for (int round = 0; round < ROUNDS; round++)
        j += i;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    assert(i <= 21 && j <= 21);
    return 0;
}
