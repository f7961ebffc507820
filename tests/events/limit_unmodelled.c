// events: --property assert
// A function without body and model is a limit.
#include <pthread.h>

static int x;
int unknown(void);

static void *other(void *unused) {
    x = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    if (x) unknown();
    return 0;
}
