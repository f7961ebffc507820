// check: --property arithmetic
// The divisor is checked, and has changed when it is used.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned users = 1, share;

static unsigned read_users(void) {
    pthread_mutex_lock(&lock);
    unsigned n = users;
    pthread_mutex_unlock(&lock);
    return n;
}

static void *leave(void *unused) {
    pthread_mutex_lock(&lock);
    users--;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, leave, NULL);
    if (read_users() > 0)
        share = 100 / read_users(); //~ error[arithmetic]
    pthread_join(t, NULL);
    return 0;
}
