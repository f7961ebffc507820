// check: --all --property assert,race
// The assertion fails only in executions that have raced before. A race ends nothing, so all of it is reported.
#include <assert.h>
#include <pthread.h>

static int depth;

static void *work(void *unused) {
    depth++; //~ error[race]
    int seen = depth; //~ error[race]
    assert(seen == 1); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
