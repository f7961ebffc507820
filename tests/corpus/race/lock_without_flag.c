// Both threads go through the lock, but nothing tells who was first: data that is touched outside of it races in the
// other order.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data;

static void *prepare(void *unused) {
    data = 5;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, prepare, NULL);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    int seen = data;
    pthread_join(thread, NULL);
    return seen == 3;
}
