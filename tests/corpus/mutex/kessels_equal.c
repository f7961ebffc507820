// Kessels' algorithm with both threads copying the other's side: each can find that it is not its turn to wait.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2], side[2], inside;

static void critical(void) {
    assert(inside++ == 0);
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
    int mine = side[0];
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
