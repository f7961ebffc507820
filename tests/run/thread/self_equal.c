// run: --runs 20 --seed 1
// pthread_self names the calling thread; pthread_equal compares two names.
#include <assert.h>
#include <pthread.h>

static pthread_t main_thread;

static void *child(void *result) {
    assert(!pthread_equal(pthread_self(), main_thread));
    assert(pthread_equal(pthread_self(), pthread_self()));
    *(pthread_t *)result = pthread_self();
    return NULL;
}

int main(void) {
    pthread_t thread, told;
    main_thread = pthread_self();
    pthread_create(&thread, NULL, child, &told);
    pthread_join(thread, NULL);
    assert(pthread_equal(thread, told));
    return 0;
}
