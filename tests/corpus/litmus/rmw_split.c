// The same with a load and a store: two threads can get the same number.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int next;
static int number[2];

static void *take(void *argument) {
    int *mine = argument;
    *mine = atomic_load(&next);
    atomic_store(&next, *mine + 1);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, take, &number[0]);
    pthread_create(&b, NULL, take, &number[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(number[0] != number[1]);
    return 0;
}
