// Which key it gets tells a thread that another one has made a key before. That is no order, and what the other has written
// before it made the key races. Right is to join it.
#include <pthread.h>

static int data;

static void *maker(void *unused) {
    pthread_key_t key;
    data = 1;
    pthread_key_create(&key, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_key_t before, after;
    pthread_key_create(&before, NULL);
    pthread_create(&thread, NULL, maker, NULL);
#ifndef MISTAKE
    pthread_join(thread, NULL);
#endif
    pthread_key_create(&after, NULL);
    if (after == before + 2)
        data = 2;
#ifdef MISTAKE
    pthread_join(thread, NULL);
#endif
    return 0;
}
