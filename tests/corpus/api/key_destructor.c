// Values of a key belong to a thread, and its destructor frees them.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *work(void *argument) {
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)argument;
    pthread_setspecific(key, mine);
    int *again = pthread_getspecific(key);
    assert(again == mine && *again == *(int *)argument);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    int one = 1, two = 2;
    pthread_key_create(&key, free);
    pthread_create(&a, NULL, work, &one);
    pthread_create(&b, NULL, work, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(pthread_getspecific(key) == NULL);
    pthread_key_delete(key);
    return 0;
}
