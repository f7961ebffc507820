// Two threads copy into halves of an array.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char buffer[8];

static void *left(void *unused) {
    memcpy(buffer, "aaaa", 4);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, left, NULL);
    memcpy(buffer + 4, "bbbb", 4);
    pthread_join(thread, NULL);
    assert(memcmp(buffer, "aaaabbbb", 8) == 0);
    return 0;
}
