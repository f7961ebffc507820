// The lock is chosen by the thread instead of the entry.
#include <pthread.h>
#include <stdint.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static int table[4];

static void *work(void *argument) {
    int me = (intptr_t)argument;
    pthread_mutex_lock(&lock[me]);
    table[3]++;
    pthread_mutex_unlock(&lock[me]);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, (void *)0);
    pthread_create(&b, NULL, work, (void *)1);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
