// run: --runs 50 --seed 7
// Every execution that comes to its end has lost the block; some do not come to their end, which is worse.
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int *log_buffer;

static void *audit(void *unused)
{
    pthread_mutex_lock(&b);
    pthread_mutex_lock(&a); //~ error[deadlock]
    pthread_mutex_unlock(&a);
    pthread_mutex_unlock(&b);
    return unused;
}

int main(void)
{
    pthread_t t;
    log_buffer = malloc(64);
    log_buffer = NULL;
    pthread_create(&t, NULL, audit, NULL);
    pthread_mutex_lock(&a);
    pthread_mutex_lock(&b);
    pthread_mutex_unlock(&b);
    pthread_mutex_unlock(&a);
    pthread_join(t, NULL);
    return 0;
}
