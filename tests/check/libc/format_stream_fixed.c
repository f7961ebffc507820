// check:
// A stream that was set before.
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
    pthread_join(t, NULL);
    fprintf(log_file, "%d\n", 1);
    return 0;
}
