// Plain data: a reader throws away what it read while it changed, but it has read it, and that is a race.
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint sequence;
static int x;

static void *write(void *unused) {
    sequence++;
    x = 1;
    sequence++;
    return unused;
}

int main(void) {
    pthread_t writer;
    pthread_create(&writer, NULL, write, NULL);
    unsigned before;
    int seen;
    do {
        before = sequence;
        seen = x;
    } while (before % 2 != 0 || sequence != before);
    pthread_join(writer, NULL);
    return seen == 2;
}
