// A thread returns memory from the heap, and nobody takes it.
#include <pthread.h>
#include <stdlib.h>

static void *make(void *unused) {
    (void)unused;
    return malloc(4);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make, NULL);
    pthread_join(thread, NULL);
    return 0;
}
