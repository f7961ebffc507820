// Customers look for a chair without the lock: two of them sit down on the last one.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_int chairs = 1;

static void *customer(void *unused) {
    if (chairs > 0) {
        pthread_mutex_lock(&lock);
        chairs--;
        assert(chairs >= 0);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, customer, NULL);
    pthread_create(&b, NULL, customer, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
