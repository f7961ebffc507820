// A stack in an array under a lock, where each side looks at the bounds under the lock too.
#include <assert.h>
#include <pthread.h>

#define SIZE 1

static int cell[SIZE], top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *argument) {
    pthread_mutex_lock(&lock);
    if (top < SIZE)
        cell[top++] = *(int *)argument;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, push, &one);
    pthread_create(&b, NULL, push, &two);
    pthread_mutex_lock(&lock);
    if (top > 0) {
        int value = cell[--top];
        assert(value == 1 || value == 2);
    }
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(top >= 0 && top <= SIZE);
    return 0;
}
