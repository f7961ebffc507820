// A read-write lock in one word: minus one for a writer, else the number of readers.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state;
static int x, y;

static void lock_shared(void) {
    int seen;
    do {
        while ((seen = state) < 0) {
        }
    } while (!atomic_compare_exchange_strong(&state, &seen, seen + 1));
}

static void *reader(void *unused) {
    lock_shared();
    assert(x == y);
    state--;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, reader, NULL);
    pthread_create(&b, NULL, reader, NULL);
    int nobody;
    do {
        nobody = 0;
    } while (!atomic_compare_exchange_strong(&state, &nobody, -1));
    x = 1;
    y = 1;
    state = 0;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
