// run: --runs 50 --seed 1
// atomic_exchange hands a heap object from one thread to another; exactly one of them frees it.
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) mailbox;

static void *post(void *unused) {
    (void)unused;
    int *letter = malloc(sizeof *letter);
    *letter = 1;
    free(atomic_exchange(&mailbox, letter));
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, post, NULL);
    pthread_create(&b, NULL, post, NULL);
    int *first = atomic_exchange(&mailbox, NULL);
    if (first && *first != 1)
        abort();
    free(first);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    free(atomic_exchange(&mailbox, NULL));
    return 0;
}
