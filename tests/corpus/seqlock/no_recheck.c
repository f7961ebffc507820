// A reader that only looks before: the writer comes in between its reads.
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
    while (sequence % 2 != 0) {
    }
    int left = x, right = y;
    assert(left == right);
    pthread_join(writer, NULL);
    return 0;
}
