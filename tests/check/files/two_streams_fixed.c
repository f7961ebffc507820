// check:
// A stream's lock is recursive, and protects what a program does while it holds it.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int lines;

static void *worker(void *unused) {
    (void)unused;
    flockfile(stdout);
    fputs("b", stdout);
    lines++;
    funlockfile(stdout);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, worker, NULL);
    flockfile(stdout);
    flockfile(stdout);
    putchar_unlocked('a');
    lines++;
    funlockfile(stdout);
    lines++;
    funlockfile(stdout);
    pthread_join(t, NULL);
    assert(lines == 3);
    return 0;
}
