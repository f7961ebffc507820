// check: --property assert,reach-error,lock
// Each thread has its own errno.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static void *fail(void *unused) {
    errno = EINTR;
    return unused;
}

int main(void) {
    pthread_t t;
    errno = 0;
    pthread_create(&t, NULL, fail, NULL);
    pthread_join(t, NULL);
    assert(errno == 0);
    return 0;
}
