// check:
// The C library refuses to join the calling thread; it is a mistake all the same.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void) {
    int error = pthread_join(pthread_self(), NULL); //~ error[lock]
    assert(error == EDEADLK);
    return 0;
}
