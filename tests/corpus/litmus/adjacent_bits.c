// Neighbouring bit-fields are one memory location: writing one of them rewrites the other, and the writes race.
#include <pthread.h>

static struct {
    unsigned left : 4, right : 4;
} pair;

static void *write_left(void *unused) {
    pair.left = 1;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, write_left, NULL);
    pair.right = 2;
    pthread_join(thread, NULL);
    return pair.left == 3;
}
