// Two threads copy into an array, and the areas overlap by one byte.
#include <pthread.h>
#include <string.h>

static char buffer[8];

static void *left(void *unused) {
    memcpy(buffer, "aaaaa", 5);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, left, NULL);
    memcpy(buffer + 4, "bbbb", 4);
    pthread_join(thread, NULL);
    return 0;
}
