// events: --property assert
// Bytes that are copied out of a number are parts of it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int x;
static char c;

static void *other(void *unused) {
    x = 0x01020304;
    assert(c != 9);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    memcpy(&c, (char *)&x + 1, 1);
    return 0;
}
