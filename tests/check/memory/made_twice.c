// check: --engine explore --property leak
// Two threads find that the table is not there yet, and both make it: one of the two is lost.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic table;

static void *use(void *unused) {
    if (!table)
        table = malloc(sizeof(int)); //~ error[memory]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, use, NULL);
    use(NULL);
    pthread_join(thread, NULL);
    free(table);
    return 0;
}
