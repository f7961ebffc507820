// run: --runs 1
// Handlers run in the reverse order of their registration; pop(0) removes one without running it, pop(1) runs it.
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char order[8];

static void note(void *letter) { strcat(order, letter); }

static void *work(void *unused) {
    (void)unused;
    pthread_cleanup_push(note, "a");
    pthread_cleanup_push(note, "b");
    pthread_cleanup_push(note, "x");
    pthread_cleanup_pop(0);
    pthread_cleanup_push(note, "c");
    pthread_cleanup_pop(1);
    pthread_exit(NULL);
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    assert(strcmp(order, "cba") == 0);
    return 0;
}
