// run: --runs 20 --seed 1
// Every thread has its own value for a key, NULL until it sets one.
#include <assert.h>
#include <pthread.h>

static pthread_key_t key;

static void *use(void *argument) {
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_setspecific(key, argument) == 0);
    assert(pthread_getspecific(key) == argument);
    return NULL;
}

int main(void) {
    int one = 1, two = 2;
    pthread_t a, b;
    assert(pthread_key_create(&key, NULL) == 0);
    pthread_create(&a, NULL, use, &one);
    pthread_create(&b, NULL, use, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_getspecific(key) == NULL);
    assert(pthread_key_delete(key) == 0);
    return 0;
}
