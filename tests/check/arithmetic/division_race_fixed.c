// check: --property arithmetic
// The divisor that is checked is the one that is used.
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
    unsigned n = read_users();
    if (n > 0)
        share = 100 / n;
    pthread_join(t, NULL);
    return 0;
}
