// Lazy initialisation without a lock: everybody may make an object, one is kept, and the losers free theirs.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static int *_Atomic instance;

static void *user(void *unused) {
    int *seen = instance;
    if (!seen) {
        int *fresh = malloc(sizeof *fresh);
        *fresh = 42;
        if (atomic_compare_exchange_strong(&instance, &seen, fresh))
            seen = fresh;
        else
            free(fresh);
    }
    assert(*seen == 42);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, user, NULL);
    pthread_create(&b, NULL, user, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(instance);
    return 0;
}
