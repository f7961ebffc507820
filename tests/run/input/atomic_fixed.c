// run: --runs 50 --seed 1
// A tp_atomic block is one step for all other threads.
#include <pthread.h>
#include <threadproof.h>

static int x, y;

static void *update(void *unused) {
    (void)unused;
    tp_atomic {
        x++;
        y++;
    }
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, update, NULL);
    pthread_create(&b, NULL, update, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    tp_assert(x == y);
    return 0;
}
