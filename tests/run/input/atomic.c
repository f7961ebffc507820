// run: --runs 50 --seed 1
// Without tp_atomic the two halves of the update can be seen apart, and race.
#include <pthread.h>
#include <threadproof.h>

static int x, y;

static void *update(void *unused) {
    (void)unused;
    x++; //~ error[race]
    y++;
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
