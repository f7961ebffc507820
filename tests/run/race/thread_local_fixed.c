// run: --runs 50 --seed 1
// The counter is thread-local: every thread has a copy of its own.
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter;

static void *work(void *unused) {
    (void)unused;
    counter += 1;
    assert(counter == 1);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    counter += 1;
    pthread_join(thread, NULL);
    assert(counter == 1);
    return 0;
}
