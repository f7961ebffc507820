// A thread that sees the time pass which another one slept takes that for a sign that the other is done. It is, but no order
// is had by looking at a clock. Right is to join it.
#include <pthread.h>
#include <time.h>

static int data;

static void *sleeper(void *unused) {
    data = 1;
    struct timespec hour = { .tv_sec = 60 * 60 };
    nanosleep(&hour, NULL);
    return unused;
}

int main(void) {
    pthread_t thread;
    struct timespec before, after;
    clock_gettime(CLOCK_MONOTONIC, &before);
    pthread_create(&thread, NULL, sleeper, NULL);
    clock_gettime(CLOCK_MONOTONIC, &after);
#ifndef MISTAKE
    pthread_join(thread, NULL);
    data = 2;
    return 0;
#endif
    if (after.tv_sec - before.tv_sec >= 60 * 60)
        data = 2;
    pthread_join(thread, NULL);
    return 0;
}
