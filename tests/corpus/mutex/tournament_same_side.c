// A tournament in which winners of different matches may play the final on the same side, where nothing holds them
// apart.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct match {
    atomic_int wants[2], turn;
};

static struct match semifinal[2], final;
static atomic_int inside;

static void lock(struct match *match, int side) {
    match->wants[side] = 1;
    match->turn = 1 - side;
    while (match->wants[1 - side] && match->turn == 1 - side) {
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(&semifinal[me / 2], me % 2);
    lock(&final, me % 2);
    assert(inside++ == 0);
    inside--;
    final.wants[me % 2] = 0;
    semifinal[me / 2].wants[me % 2] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
