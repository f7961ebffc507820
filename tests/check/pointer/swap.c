// check: --property assert,reach-error,lock
// Two threads swap the same two pointers without a lock: both end up at one object.
#include <assert.h>
#include <pthread.h>

static int red = 1, blue = 2;
static int *left = &red, *right = &blue;

static void swap(int **a, int **b) {
    int *old = *a;
    *a = *b;
    *b = old;
}

static void *work(void *unused) {
    (void)unused;
    swap(&left, &right);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(left != right); //~ error[assert]
    return 0;
}
