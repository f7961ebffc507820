// check: --property assert
// Only a part of what is copied was written; the copy holds any value where it was not.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct pair {
    int first, second;
};

static struct pair shared;

static void *copy(void *argument) {
    shared = *(struct pair *)argument;
    return NULL;
}

int main(void) {
    struct pair *pair = malloc(sizeof *pair);
    pair->first = 1;
    pthread_t thread;
    pthread_create(&thread, NULL, copy, pair);
    pthread_join(thread, NULL);
    free(pair);
    assert(shared.second != 7); //~ error[assert]
    return 0;
}
