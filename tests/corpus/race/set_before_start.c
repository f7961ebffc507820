// What the thread needs is set before: the start of a thread happens after what its creator did.
#include <assert.h>
#include <pthread.h>

static int limit;

static void *work(void *unused) {
    assert(limit == 10);
    return unused;
}

int main(void) {
    pthread_t thread;
    limit = 10;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    return 0;
}
