// Three threads under one lock: two add 1 and 2, the third looks whether there are 3 yet, and sometimes there are.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int sum;

static void *add(void *argument) {
    pthread_mutex_lock(&lock);
    sum += *(int *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, add, &one);
    pthread_create(&b, NULL, add, &two);
    pthread_mutex_lock(&lock);
    assert(sum < 3);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
