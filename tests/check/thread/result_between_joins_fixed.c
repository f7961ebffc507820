// check: --property all,-race
// Between two joins of threads alike, main joins a third one, but does not store its result.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *result; // stays null
static atomic_int arrived;

static void *other(void *argument) {
    return argument;
}

static void *work(void *unused) {
    if (arrived++ == 0)
        assert(!__atomic_load_n(&result, __ATOMIC_SEQ_CST));
    return unused;
}

int main(void) {
    pthread_t third, one, two;
    pthread_create(&third, NULL, other, &arrived);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_t id = third;
    pthread_join(one, NULL);
    pthread_join(id, NULL);
    pthread_join(two, NULL);
    return 0;
}
