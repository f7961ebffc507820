// C11 threads: a key without a destructor; what the thread stored is lost at its end.
#include <stdlib.h>
#include <threads.h>

static tss_t key;

static int work(void *unused) {
    (void)unused;
    tss_set(key, malloc(4));
    return 0;
}

int main(void) {
    thrd_t thread;
    tss_create(&key, NULL);
    thrd_create(&thread, work, NULL);
    thrd_join(thread, NULL);
    tss_delete(key);
    return 0;
}
