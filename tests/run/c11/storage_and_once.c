// run: --runs 20 --seed 1
// Thread-specific storage with a destructor, and call_once.
#include <assert.h>
#include <stdlib.h>
#include <threads.h>

static tss_t key;
static once_flag flag = ONCE_FLAG_INIT;

static void create_key(void) { assert(tss_create(&key, free) == thrd_success); }

static int work(void *unused) {
    (void)unused;
    call_once(&flag, create_key);
    assert(tss_get(key) == NULL);
    int *scratch = malloc(sizeof *scratch);
    assert(tss_set(key, scratch) == thrd_success);
    assert(tss_get(key) == scratch);
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, work, NULL);
    thrd_create(&b, work, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    tss_delete(key);
    return 0;
}
