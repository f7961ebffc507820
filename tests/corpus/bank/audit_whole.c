// The repair: a transfer is one critical section.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int mine = 10, yours;

static void *pay(void *unused) {
    pthread_mutex_lock(&lock);
    mine -= 10;
    yours += 10;
    pthread_mutex_unlock(&lock);
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
