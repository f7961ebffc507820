// run: --runs 50 --seed 1
// A plain flag announces that the message is ready: nothing orders the message before the flag.
#include <assert.h>
#include <pthread.h>

static int message;
static int ready;

static void *sender(void *unused) {
    (void)unused;
    message = 42;
    ready = 1; //~ error[race]
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
