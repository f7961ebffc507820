// check: --property race
// Double-checked locking with an ordinary pointer: the first look at it is not ordered with the write.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int table[2];
static int *shared;

static int *get(void) {
    if (!shared) { //~ error[race]
        pthread_mutex_lock(&lock);
        if (!shared) {
            table[1] = 7;
            shared = table;
        }
        pthread_mutex_unlock(&lock);
    }
    return shared;
}

static void *use(void *unused) {
    (void)get()[1];
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
