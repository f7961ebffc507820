// run: --runs 5 --seed 1
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static void *finish(void *unused)
{
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, finish, 0);
    for (;;) {
        pthread_mutex_lock(&lock);
        int now = done;
        pthread_mutex_unlock(&lock);
        if (now)
            break;
    }
    pthread_join(thread, 0);
}
