// check: --property leak
// Two threads find that the table is not there yet, and both make one; whoever is second frees its own.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic table;

static void *use(void *unused) {
    if (!table) {
        int *mine = malloc(sizeof *mine), *none = NULL;
        if (!atomic_compare_exchange_strong(&table, &none, mine))
            free(mine);
    }
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
