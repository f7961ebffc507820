// check: --property assert,reach-error,lock
// A thread is given the address of another one's errno, and writes there.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static int *where;

static void *fail(void *unused) {
    *where = EINTR;
    return unused;
}

int main(void) {
    pthread_t t;
    where = &errno;
    errno = 0;
    pthread_create(&t, NULL, fail, NULL);
    pthread_join(t, NULL);
    assert(errno == 0); //~ error[assert]
    return 0;
}
