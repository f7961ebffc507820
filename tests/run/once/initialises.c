// run: --runs 50 --seed 1
// The second thread does not go through pthread_once, and may be too early.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, limit;

static void initialise(void) {
    calls++;
    limit = 10; //~ error[race]
}

static void *use(void *unused) {
    (void)unused;
    pthread_once(&once, initialise);
    assert(calls == 1 && limit == 10);
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, use, NULL);
    pthread_create(&b, NULL, use, NULL);
    int seen = limit;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen > 10;
}
