// pthread_self and pthread_equal: a thread recognises itself by what its creator stored before it let it go.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_t child;

static void *check(void *parent) {
    pthread_mutex_lock(&lock);
    assert(pthread_equal(pthread_self(), child));
    assert(!pthread_equal(pthread_self(), *(pthread_t *)parent));
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void) {
    pthread_t self = pthread_self();
    pthread_mutex_lock(&lock);
    pthread_create(&child, NULL, check, &self);
    pthread_mutex_unlock(&lock);
    pthread_join(child, NULL);
    return 0;
}
