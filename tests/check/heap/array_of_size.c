// check: --property assert,reach-error,lock
// With an odd size the element in the middle is left to nobody.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <threadproof.h>

static int *items, count;

static void *fill_front(void *unused) {
    (void)unused;
    for (int i = 0; i < count / 2; i++)
        items[i] = 1;
    return NULL;
}

int main(void) {
    count = tp_input_range("count", 2, 4);
    items = calloc(count, sizeof *items);
    pthread_t a;
    pthread_create(&a, NULL, fill_front, NULL);
    for (int i = (count + 1) / 2; i < count; i++)
        items[i] = 1;
    pthread_join(a, NULL);
    int sum = 0;
    for (int i = 0; i < count; i++)
        sum += items[i];
    assert(sum == count); //~ error[assert]
    free(items);
    return 0;
}
