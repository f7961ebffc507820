// A reader that tries once and says so when it did not succeed.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef WRITES
#define WRITES 1
#endif

static atomic_uint sequence;
static atomic_int x, y;

static void *write(void *unused) {
    for (int i = 1; i <= WRITES; i++) {
        sequence++;
        x = i;
        y = i;
        sequence++;
    }
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write, NULL);
    unsigned before = sequence;
    int left = x, right = y;
    if (before % 2 == 0 && sequence == before)
        assert(left == right);
    pthread_join(writer, NULL);
    return 0;
}
