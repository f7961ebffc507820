// check: --property all,-race
// Between two joins of threads alike, main stores the result of a third one, where they can see it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static void *result;
static atomic_int arrived;

static void *other(void *argument) {
    return argument;
}

static void *work(void *unused) {
    if (arrived++ == 0)
        assert(!__atomic_load_n(&result, __ATOMIC_SEQ_CST)); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t third, one, two;
    pthread_create(&third, NULL, other, &arrived);
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&two, NULL, work, NULL);
    pthread_t id = third;
    pthread_join(one, NULL);
    pthread_join(id, &result);
    pthread_join(two, NULL);
    return 0;
}
