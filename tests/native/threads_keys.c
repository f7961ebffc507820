// Thread-specific data, thread-local variables and once: one value per thread, destructors at its end, one initialisation.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_key_t buffer_key, plain_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Thread_local int calls;
static _Thread_local char name[8] = "fresh";
static int initialisations, destroyed;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void destroy(void *value) {
    pthread_mutex_lock(&lock);
    destroyed += *(int *)value;
    pthread_mutex_unlock(&lock);
    free(value);
}

static void initialise(void) {
    pthread_key_create(&buffer_key, destroy);
    pthread_key_create(&plain_key, NULL);
    initialisations++;
}

static int *buffer(void) {
    pthread_once(&once, initialise);
    int *b = pthread_getspecific(buffer_key);
    if (!b) {
        b = calloc(1, sizeof *b);
        pthread_setspecific(buffer_key, b);
    }
    calls++;
    return b;
}

static void *work(void *argument) {
    int n = *(int *)argument;
    for (int i = 0; i < n; i++)
        *buffer() += 1;
    pthread_setspecific(plain_key, name);
    name[0] = (char)('0' + n);
    errno = n;
    int counted = *buffer();
    printf("%d %d %s %d %d\n", counted, calls, name, pthread_getspecific(plain_key) == name, errno);
    return NULL;
}

int main(void) {
    errno = 0;
    for (int i = 1; i <= 4; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, work, &i);
        pthread_join(thread, NULL);
    }
    printf("%d %d %d %s %d\n", initialisations, destroyed, calls, name, errno);
    pthread_key_delete(buffer_key);
    pthread_key_delete(plain_key);
    return 0;
}
