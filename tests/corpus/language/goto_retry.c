// A retry by goto: whoever finds the place taken goes back to the start.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int taken;
static int counter;

static void *count(void *unused) {
    int expected;
again:
    expected = 0;
    if (!atomic_compare_exchange_strong(&taken, &expected, 1))
        goto again;
    counter++;
    taken = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(counter == 2);
    return 0;
}
