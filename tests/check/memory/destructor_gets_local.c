// check: --property memory
// The destructors of thread-specific data run when the functions of the thread are gone, by pthread_exit too.
#include <pthread.h>

static pthread_key_t key;
static int last;

static void note(void *value)
{
    last = *(int *)value; //~ error[memory]
}

static void *work(void *argument)
{
    int own = 3;
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
