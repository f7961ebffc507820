// The money is taken in one critical section and given in another: an audit in between finds some missing.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mine = 10, yours;

static void add(int *account, int amount) {
    pthread_mutex_lock(&lock);
    *account += amount;
    pthread_mutex_unlock(&lock);
}

static void *pay(void *unused) {
    add(&mine, -10);
    add(&yours, 10);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, pay, NULL);
    pthread_mutex_lock(&lock);
    assert(mine + yours == 10);
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
    return 0;
}
