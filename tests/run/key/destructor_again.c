// run: --runs 1
// A destructor that sets a value again is called again; the value is NULL when the destructor runs.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;
static int calls;

static void destroy(void *value) {
    assert(pthread_getspecific(key) == NULL);
    if (++calls < 3)
        pthread_setspecific(key, value);
}

static void *use(void *argument) {
    pthread_setspecific(key, argument);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, destroy);
    pthread_create(&thread, NULL, use, &calls);
    pthread_join(thread, NULL);
    assert(calls == 3);
    return 0;
}
