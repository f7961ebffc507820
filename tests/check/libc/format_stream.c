// check:
// A stream that was never opened: only one of two threads sets it.
#include <pthread.h>
#include <stdio.h>

static FILE *_Atomic log_file;

static void *opener(void *unused) {
    log_file = stderr;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, opener, NULL);
    fprintf(log_file, "%d\n", 1); //~ error[memory]
    pthread_join(t, NULL);
    return 0;
}
