// run: --runs 20 --seed 1
// A thread that was created detached is not joined; the attributes remember what was set.
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_attr_t attributes;
    pthread_t thread;
    int state;
    size_t size;
    assert(pthread_attr_init(&attributes) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0);
    assert(state == PTHREAD_CREATE_JOINABLE);
    assert(pthread_attr_setstacksize(&attributes, 1 << 20) == 0);
    assert(pthread_attr_getstacksize(&attributes, &size) == 0);
    assert(size == 1 << 20);
    assert(pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED) == 0);
    assert(pthread_attr_getdetachstate(&attributes, &state) == 0);
    assert(state == PTHREAD_CREATE_DETACHED);
    assert(pthread_create(&thread, &attributes, nothing, NULL) == 0);
    assert(pthread_attr_destroy(&attributes) == 0);
    return 0;
}
