// check: --property use-after-free
// A thread writes to a stream that may be closed already.
#include <pthread.h>
#include <stdio.h>

static FILE *log_file;

static void *worker(void *unused) {
    (void)unused;
    fputs("done\n", log_file); //~ error[memory]
    return NULL;
}

int main(void) {
    pthread_t t;
    log_file = fopen("log", "w");
    pthread_create(&t, NULL, worker, NULL);
    fclose(log_file);
    pthread_join(t, NULL);
    return 0;
}
