// A table with a lock for every other entry: the same entry always has the same lock.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

#define LOCKS 2

static pthread_mutex_t lock[LOCKS] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int table[4];

static void add(int entry) {
    pthread_mutex_lock(&lock[entry % LOCKS]);
    table[entry]++;
    pthread_mutex_unlock(&lock[entry % LOCKS]);
}

static void *work(void *argument) {
    int start = (intptr_t)argument;
    add(start);
    add(3);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(table[0] == 1 && table[1] == 1 && table[3] == 2);
    return 0;
}
