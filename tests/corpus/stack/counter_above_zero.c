// The repair: take one only if the height is still what it was when it was looked at.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int height = 1;

static void *pop(void *unused) {
    int seen = height;
    while (seen > 0 && !atomic_compare_exchange_strong(&height, &seen, seen - 1)) {
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, pop, NULL);
    pthread_create(&b, NULL, pop, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(height == 0);
    return 0;
}
