// check: --property assert,reach-error,lock
// An int is written by its bytes and read as a whole, and the other way round; a union and a bit-field too.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static union {
    unsigned whole;
    unsigned char bytes[4];
} shared;
static struct {
    unsigned low : 3, high : 5;
} fields;

static void *write(void *unused) {
    (void)unused;
    for (unsigned i = 0; i < 4; i++)
        shared.bytes[i] = i + 1;
    fields.low = 5;
    fields.high = 17;
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, write, NULL);
    pthread_join(a, NULL);
    assert(shared.whole == 0x04030201);
    assert(fields.low == 5 && fields.high == 17);
    short halves[2];
    memcpy(halves, &shared, sizeof halves);
    assert(halves[1] == 0x0403);
    return 0;
}
