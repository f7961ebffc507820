// Two writers without a lock of their own: the counter is even while both are at work.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *write(void *argument) {
    int value = (intptr_t)argument;
    sequence++;
    x = value;
    y = value;
    sequence++;
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, write, (void *)1);
    pthread_create(&b, NULL, write, (void *)2);
    unsigned before = sequence;
    int left = x, right = y;
    if (before % 2 == 0 && sequence == before)
        assert(left == right);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
