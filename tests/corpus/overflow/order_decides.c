// Adding first and then subtracting is fine, the other way round goes below the smallest number.
#include <limits.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int level = INT_MIN + 5;

static void *change(void *argument) {
    pthread_mutex_lock(&lock);
    level += *(int *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int up = 10, down = -10;
    pthread_t a, b;
    pthread_create(&a, NULL, change, &up);
    pthread_create(&b, NULL, change, &down);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
