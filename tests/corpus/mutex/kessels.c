// Kessels' algorithm: as Peterson's, but each variable is written by one thread only. Whose turn it is is said by
// whether the two `side`s are equal.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], side[2];
static int inside;

static void critical(void) {
    inside++;
    assert(inside == 1);
    inside--;
}

static void *zero(void *unused) {
    wants[0] = 1;
    int mine = side[1];
    side[0] = mine;
    while (wants[1] && side[1] == mine) {
    }
    critical();
    wants[0] = 0;
    return unused;
}

static void *one(void *unused) {
    wants[1] = 1;
    int mine = 1 - side[0];
    side[1] = mine;
    while (wants[0] && side[0] != mine) {
    }
    critical();
    wants[1] = 0;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, zero, NULL);
    pthread_create(&b, NULL, one, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
