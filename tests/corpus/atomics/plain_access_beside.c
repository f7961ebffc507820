// An atomic object that one thread writes through a plain pointer: one access that is not atomic is enough for a race.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int number;

static void *clear(void *unused) {
    memset((void *)&number, 0, sizeof number);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, clear, NULL);
    int seen = atomic_load(&number);
    pthread_join(thread, NULL);
    return seen;
}
