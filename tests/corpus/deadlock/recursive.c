// The same with a recursive mutex: its owner may lock it again.
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock;
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
    assert(entries == total);
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&lock, &attributes);
    pthread_create(&a, NULL, insert, NULL);
    pthread_create(&b, NULL, insert, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(total == 2);
    return 0;
}
