// Short numbers are added as ints, which have room for the sum.
#include <assert.h>
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static short part[2] = {SHRT_MAX, SHRT_MAX};
static int sum;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    sum = sum + *(short *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, &part[0]);
    pthread_create(&b, NULL, add, &part[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(sum == 2 * SHRT_MAX);
    return 0;
}
