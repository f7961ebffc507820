// A sequence lock: odd while a writer is at work; a reader that saw a change looks again. The data is atomic, for
// readers look at it while it changes.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static atomic_int x, y;

static void *write(void *unused) {
    sequence++;
    x = 1;
    y = 1;
    sequence++;
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write, NULL);
    unsigned before;
    int left, right;
    do {
        before = sequence;
        left = x;
        right = y;
    } while (before % 2 != 0 || sequence != before);
    assert(left == right);
    pthread_join(writer, NULL);
    return 0;
}
