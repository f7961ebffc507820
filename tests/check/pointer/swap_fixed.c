// check: --property assert,reach-error,lock
// One swap after the other puts everything back.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int red = 1, blue = 2;
static int *left = &red, *right = &blue;

static void swap(int **a, int **b) {
    int *old = *a;
    *a = *b;
    *b = old;
}

static void *work(void *unused) {
    (void)unused;
    pthread_mutex_lock(&lock);
    swap(&left, &right);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(*left == 1 && *right == 2);
    return 0;
}
