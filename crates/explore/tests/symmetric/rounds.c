// Four threads alike add and take away, and main only waits for them: nothing but its start and the order of the joins tells
// them apart. With -DBUG main has a wrong idea of the sum.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sum;

static void *work(void *unused) {
    for (int i = 0; i < 3; i++) {
        sum++;
        sum--;
    }
    return unused;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
#ifdef BUG
    assert(sum == 1);
#else
    assert(sum == 0);
#endif
    return 0;
}
