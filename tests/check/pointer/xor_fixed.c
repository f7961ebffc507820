// check: --property assert,reach-error,lock
// Two addresses in one number, of which one gives the other; all elements are zero.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static int key, items[20];
static uintptr_t link;

static void *walk(void *unused) {
    for (int i = 0; i < 20; i++)
        link = (uintptr_t)&key ^ (uintptr_t)&items[i];
    return unused;
}

int main(void) {
    link = (uintptr_t)&key ^ (uintptr_t)&items[0];
    pthread_t thread;
    pthread_create(&thread, NULL, walk, NULL);
    int *found = (int *)((uintptr_t)&key ^ link);
    assert(*found == 0);
    return 0;
}
