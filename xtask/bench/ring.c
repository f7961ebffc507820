// One thread passes N numbers to another through a ring with room for two. With -DUNSAFE it believes there is room for
// one more, and overwrites a number that was not taken yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define ROOM 2
#ifdef UNSAFE
#define BELIEVED (ROOM + 1)
#else
#define BELIEVED ROOM
#endif

static int ring[ROOM];
static atomic_int put, taken;

static void *produce(void *unused) {
    for (int i = 0; i < N; i++) {
        while (put - taken >= BELIEVED)
            ;
        ring[i % ROOM] = i + 1;
        put++;
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, 0, produce, 0);
    for (int i = 0; i < N; i++) {
        while (put == taken)
            ;
        assert(ring[i % ROOM] == i + 1);
        taken++;
    }
    pthread_join(producer, 0);
}
