// run: --runs 20 --seed 1
// A thread that has ended can be cancelled until it is joined.
#include <assert.h>
#include <pthread.h>

static void *work(void *unused) {
    return unused;
}

int main(void) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, work, &thread);
    assert(pthread_cancel(thread) == 0);
    pthread_join(thread, &result);
    assert(result == &thread);
    return 0;
}
