// check: --property assert,reach-error,lock
// The same, but every object has its value before it is published.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int wanted[2] = {0, 1};
static int *slot;

static void *make(void *unused) {
    for (int i = 0; i < 2; i++)
        if (wanted[i]) {
            int *p = malloc(sizeof *p);
            *p = 5;
            slot = p;
        }
    return unused;
}

static void *ask(void *unused) {
    wanted[0] = 1;
    return unused;
}

int main(void) {
    pthread_t maker, asker;
    pthread_create(&maker, NULL, make, NULL);
    pthread_create(&asker, NULL, ask, NULL);
    int *p = slot;
    if (p)
        assert(*p == 5);
    return 0;
}
