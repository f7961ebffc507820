// The same with a reader that looks and then adds itself in two steps: a writer may come in between.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int state, writing;

static void *reader(void *unused) {
    while (state < 0) {
    }
    state++;
    assert(!writing);
    state--;
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);
    int nobody = 0;
    if (atomic_compare_exchange_strong(&state, &nobody, -1)) {
        writing = 1;
        writing = 0;
        state++;
    }
    pthread_join(a, NULL);
    return 0;
}
