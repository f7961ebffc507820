// 3.2W: three threads in a circle, each writes its own variable and then the next one's. Not all three first writes can
// survive.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int cell[3];

static void *member(void *argument) {
    atomic_int *mine = argument;
    int me = mine - cell;
    atomic_store(mine, 1);
    atomic_store(&cell[(me + 1) % 3], 2);
    return NULL;
}

int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        pthread_create(&threads[i], NULL, member, &cell[i]);
    int firsts = 0;
    for (int i = 0; i < 3; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < 3; i++)
        firsts += atomic_load(&cell[i]) == 1;
    assert(firsts < 3);
    return 0;
}
