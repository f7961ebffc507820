// A monitor in which a waiting writer keeps new readers out.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int readers, writers, waiting_writers, value;

static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    while (writers || waiting_writers)
        pthread_cond_wait(&changed, &lock);
    readers++;
    pthread_mutex_unlock(&lock);

    int first = value, second = value;
    assert(first == second && first != 1);

    pthread_mutex_lock(&lock);
    readers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, reader, NULL);

    pthread_mutex_lock(&lock);
    waiting_writers++;
    while (readers || writers)
        pthread_cond_wait(&changed, &lock);
    waiting_writers--;
    writers++;
    pthread_mutex_unlock(&lock);

    value = 1;
    value = 2;

    pthread_mutex_lock(&lock);
    writers--;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(a, NULL);
    return 0;
}
