// run: --runs 20 --seed 1
// exit ends the program from any thread; main need not come back from its join.
#include <pthread.h>
#include <stdlib.h>

static void *quit(void *unused) {
    (void)unused;
    exit(0);
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, quit, NULL);
    pthread_join(thread, NULL);
    abort();
}
