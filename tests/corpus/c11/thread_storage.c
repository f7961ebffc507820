// C11 threads: a key with a value for each thread, freed by its destructor at the thread's end.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;

static int work(void *argument) {
    int *mine = malloc(sizeof *mine);
    *mine = *(int *)argument;
    tss_set(key, mine);
    thrd_yield();
    int *again = tss_get(key);
    assert(*again == *(int *)argument);
    return 0;
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2;
    tss_create(&key, free);
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &two);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    tss_delete(key);
    return 0;
}
