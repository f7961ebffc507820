// events: --property overflow
// That a sum overflows is a claim where it is looked for.
#include <pthread.h>

static int x;

static void *other(void *unused) {
    x = 2147483647;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    x = x + 1;
    return 0;
}
