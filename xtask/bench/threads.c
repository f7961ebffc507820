// Threads created and joined one after the other: memory must not grow with their number.
#include <pthread.h>

static int done;

static void *work(void *unused) {
    done++;
    return unused;
}

int main(void) {
    for (int i = 0; i < COUNT; i++) {
        pthread_t thread;
        pthread_create(&thread, 0, work, 0);
        pthread_join(thread, 0);
    }
    return done != COUNT;
}
