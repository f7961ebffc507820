// The check whether there is room comes before the lock: two threads both find room for one, and the second writes past
// the end of the array.
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 1

static int cell[SIZE];
static atomic_int top;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *push(void *argument) {
    if (top < SIZE) {
        pthread_mutex_lock(&lock);
        cell[top] = *(int *)argument;
        top++;
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, push, &one);
    pthread_create(&b, NULL, push, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
