// run: --runs 50 --seed 1
// One thread prints a buffer that another one is writing.
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
    snprintf(line, sizeof line, "%s", status); //~ error[race]
    pthread_join(thread, NULL);
    return line[1] != 'd';
}
