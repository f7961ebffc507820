// A reader that only compares: when the writer stands still in the middle, nothing changes, and half of it is read.
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
    unsigned before = sequence;
    int left = x, right = y;
    if (sequence == before)
        assert(left == right);
    pthread_join(writer, NULL);
    return 0;
}
