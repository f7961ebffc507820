// run: --runs 50 --seed 1
// An atomic flag announces that the message is ready.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int message;
static atomic_int ready;

static void *sender(void *unused) {
    (void)unused;
    message = 42;
    ready = 1;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, sender, NULL);
    if (ready)
        assert(message == 42);
    pthread_join(thread, NULL);
    return 0;
}
