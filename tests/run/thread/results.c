// run: --runs 20 --seed 1
// A thread's result arrives only through pthread_join; here the wrong one is expected.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static void *returns(void *argument) { return (void *)((intptr_t)argument + 1); }

static void *exits(void *argument) {
    pthread_exit((void *)((intptr_t)argument * 2));
}

int main(void) {
    pthread_t a, b;
    void *from_a, *from_b;
    assert(pthread_create(&a, NULL, returns, (void *)20) == 0);
    assert(pthread_create(&b, NULL, exits, (void *)20) == 0);
    assert(pthread_join(a, &from_a) == 0);
    assert(pthread_join(b, &from_b) == 0);
    assert((intptr_t)from_a == 21);
    assert((intptr_t)from_b == 41); //~ error[assert]
    return 0;
}
