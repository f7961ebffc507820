// pthread_mutex_trylock says EBUSY while another thread has the lock, and never lets two in.
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside;

static void *try(void *unused) {
    int result = pthread_mutex_trylock(&lock);
    assert(result == 0 || result == EBUSY);
    if (result == 0) {
        inside++;
        assert(inside == 1);
        inside--;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, try, NULL);
    pthread_create(&b, NULL, try, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
