// check: --property assert,reach-error,lock
// Which object is made first depends on another thread. The one of the first round is published without a value.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int wanted[2] = {0, 1};
static int *slot;

static void *make(void *unused) {
    for (int i = 0; i < 2; i++)
        if (wanted[i]) {
            int *p = malloc(sizeof *p);
            if (i == 1)
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
        assert(*p == 5); //~ error[assert]
    return 0;
}
