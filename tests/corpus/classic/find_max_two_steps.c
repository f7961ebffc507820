// The same with atomics in two steps: a smaller value overwrites a larger one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threadproof.h>

static int value[2];
static atomic_int largest;

static void *compare(void *argument) {
    int mine = *(int *)argument;
    if (mine > largest)
        largest = mine;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    value[0] = tp_input_range("first", 0, 100);
    value[1] = tp_input_range("second", 0, 100);
    pthread_create(&a, NULL, compare, &value[0]);
    pthread_create(&b, NULL, compare, &value[1]);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(value[0] <= largest && value[1] <= largest);
    return 0;
}
