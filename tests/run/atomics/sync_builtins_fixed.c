// run: --runs 50 --seed 1
// The old __sync builtins: a lock that is taken, and given back with __sync_lock_release.
#include <pthread.h>

static int taken, counter;

static void *count(void *unused) {
    (void)unused;
    while (__sync_lock_test_and_set(&taken, 1)) {
    }
    counter++;
    __sync_lock_release(&taken);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, count, NULL);
    pthread_create(&b, NULL, count, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return counter != 2;
}
