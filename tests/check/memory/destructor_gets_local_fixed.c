// check: --property memory
// The value outlives the functions of its thread.
#include <pthread.h>

static pthread_key_t key;
static int last;

static void note(void *value)
{
    last = *(int *)value;
}

static void *work(void *argument)
{
    static int own = 3;
    pthread_setspecific(key, &own);
    pthread_exit(argument);
}

int main(void)
{
    pthread_t thread;
    pthread_key_create(&key, note);
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    return 0;
}
