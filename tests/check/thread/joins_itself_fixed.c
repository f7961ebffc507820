// check: --property all,-lock
// The C library refuses to join the calling thread. Where that is not looked for, the program goes on.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    int error = pthread_join(pthread_self(), NULL);
    assert(error == EDEADLK);
    return 0;
}
