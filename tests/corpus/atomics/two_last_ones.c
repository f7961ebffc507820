// The counter is lowered and looked at in two steps: both threads take themselves for the last.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int missing = 2, reports;

static void *work(void *unused) {
    missing--;
    if (missing == 0)
        reports++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(reports == 1);
    return 0;
}
