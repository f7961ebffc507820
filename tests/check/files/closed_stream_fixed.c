// check: --engine explore
// The stream is closed when nobody uses it any more; lines of threads do not mix.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static FILE *log_file;

static void *worker(void *unused) {
    (void)unused;
    fputs("ab\n", log_file);
    return NULL;
}

int main(void) {
    pthread_t t;
    char text[16];
    log_file = fopen("log", "w");
    pthread_create(&t, NULL, worker, NULL);
    fputs("xy\n", log_file);
    pthread_join(t, NULL);
    fclose(log_file);
    log_file = fopen("log", "r");
    assert(fread(text, 1, sizeof text, log_file) == 6);
    fclose(log_file);
    assert(!memcmp(text, "ab\nxy\n", 6) || !memcmp(text, "xy\nab\n", 6));
    return 0;
}
