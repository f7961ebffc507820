// What the thread needs is set after it was started.
#include <pthread.h>

static int limit;

static void *work(void *unused) {
    return limit > 0 ? &limit : unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    limit = 10;
    pthread_join(thread, NULL);
    return 0;
}
