// check: --property lock
// The last user destroys the mutex while another one may still be on its way into it.
#include <pthread.h>

static pthread_mutex_t lock;
static int users = 2;

static void *use(void *unused) {
    pthread_mutex_lock(&lock); //~ error[lock]
    users--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_init(&lock, NULL);
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_mutex_destroy(&lock);
    pthread_join(thread, NULL);
    return 0;
}
