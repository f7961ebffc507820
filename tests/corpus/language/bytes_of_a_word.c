// A word that one thread writes as a whole, under a lock, and another one reads byte by byte.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned word;

static void *fill(void *unused) {
    pthread_mutex_lock(&lock);
    word = 0x01010101u;
    pthread_mutex_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t thread;
    unsigned char bytes[4];
    pthread_create(&thread, NULL, fill, NULL);
    pthread_mutex_lock(&lock);
    memcpy(bytes, &word, 4);
    pthread_mutex_unlock(&lock);
    assert(bytes[0] == bytes[1] && bytes[1] == bytes[2] && bytes[2] == bytes[3]);
    pthread_join(thread, NULL);
    return 0;
}
