// run: --runs 50 --seed 1
// What a thread would do after its assumption failed cannot be seen, and waiting for it is no deadlock.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern void __VERIFIER_assume(int);

atomic_int y;

void *writer(void *arg) {
    __VERIFIER_assume(0);
    y = 1;
    return arg;
}

void *reader(void *arg) {
    assert(y == 0);
    return arg;
}

int main(void) {
    pthread_t w, r;
    pthread_create(&w, 0, writer, 0);
    pthread_create(&r, 0, reader, 0);
    pthread_join(w, 0);
    pthread_join(r, 0);
    return 0;
}
