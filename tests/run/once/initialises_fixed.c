// run: --runs 50 --seed 1
// Whoever returns from pthread_once sees the initialisation complete, and it has run once.
#include <assert.h>
#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int calls, limit;

static void initialise(void) {
    calls++;
    limit = 10;
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
    use(NULL);
    int seen = limit;
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return seen > 10;
}
