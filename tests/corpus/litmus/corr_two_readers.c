// CoRR2: two readers agree on the order of two writes to one variable.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;
static int seen[2][2];

static void *one(void *unused) {
    atomic_store(&x, 1);
    return unused;
}

static void *two(void *unused) {
    atomic_store(&x, 2);
    return unused;
}

static void *look(void *argument) {
    int *mine = argument;
    mine[0] = atomic_load(&x);
    mine[1] = atomic_load(&x);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    pthread_create(&threads[0], NULL, one, NULL);
    pthread_create(&threads[1], NULL, two, NULL);
    pthread_create(&threads[2], NULL, look, seen[0]);
    pthread_create(&threads[3], NULL, look, seen[1]);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    assert(!(seen[0][0] == 1 && seen[0][1] == 2 && seen[1][0] == 2 && seen[1][1] == 1));
    return 0;
}
