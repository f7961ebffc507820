// events: --property assert
// Whoever ends the program ends it for all.
#include <pthread.h>
#include <stdlib.h>

static int x;

static void *other(void *unused) {
    exit(0);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = 1;
    return 0;
}
