// check: --property assert
// Only a part of what is copied was written; the copy holds what the other one does.
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
    assert(shared.second == pair->second);
    free(pair);
    return 0;
}
