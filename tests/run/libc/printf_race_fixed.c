// run: --runs 50 --seed 1
// The buffer is printed after the writer was joined.
#include <pthread.h>
#include <stdio.h>

static char status[8] = "idle";

static void *work(void *unused) {
    (void)unused;
    status[0] = 'I';
    return NULL;
}

int main(void) {
    char line[16];
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    snprintf(line, sizeof line, "%s", status);
    return line[1] != 'd';
}
