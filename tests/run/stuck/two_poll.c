// run: --runs 50
// Two threads poll under a mutex what nobody sets.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int done;

static int is_done(void) {
    pthread_mutex_lock(&lock); //~ error[stuck]
    int now = done;
    pthread_mutex_unlock(&lock);
    return now;
}

static void *poll(void *unused) {
    while (!is_done()) {
    }
    return unused;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, poll, NULL);
    pthread_create(&other, NULL, poll, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    return 0;
}
