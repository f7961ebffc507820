// A function that locks calls another one that takes the same lock: an ordinary mutex does not know its owner.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int entries, total;

static void add_to_total(int by) {
    pthread_mutex_lock(&lock);
    total += by;
    pthread_mutex_unlock(&lock);
}

static void *insert(void *unused) {
    pthread_mutex_lock(&lock);
    entries++;
    add_to_total(1);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, insert, NULL);
    pthread_join(thread, NULL);
    return 0;
}
