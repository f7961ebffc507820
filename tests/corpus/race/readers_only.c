// Two threads read at the same time, and nobody writes: no race.
#include <assert.h>
#include <pthread.h>

static int table[2] = {3, 4};

static void *look(void *unused) {
    assert(table[0] + table[1] == 7);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, look, NULL);
    pthread_create(&b, NULL, look, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
