// check: --property memory
// The functions of the thread are gone when the destructor frees what they have left; one of them had an array.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_key_t key;

static void *work(void *argument)
{
    char text[8];
    memset(text, 1, sizeof text);
    char *copy = malloc(sizeof text);
    memcpy(copy, text, sizeof text);
    pthread_setspecific(key, copy);
    pthread_exit(argument);
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
