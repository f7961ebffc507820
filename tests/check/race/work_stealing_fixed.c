// check: --property race
// The owner takes work from one end of its queue, thieves from the other: all under the lock, and each piece is done
// outside of it by whoever took it.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int top, bottom = 2;
static int done[2];

static int take(int from_top) {
    int piece = -1;
    pthread_mutex_lock(&lock);
    if (top < bottom)
        piece = from_top ? top++ : --bottom;
    pthread_mutex_unlock(&lock);
    return piece;
}

static void *steal(void *unused) {
    int piece = take(1);
    if (piece >= 0)
        done[piece] = 1;
    return unused;
}

int main(void) {
    pthread_t thief;
    pthread_create(&thief, NULL, steal, NULL);
    for (int i = 0; i < 2; i++) {
        int piece = take(0);
        if (piece >= 0)
            done[piece] = 1;
    }
    pthread_join(thief, NULL);
    return done[0] + done[1] != 2;
}
