// C11 threads: a counter under an mtx_t.
#include <assert.h>
#include <threads.h>

#ifndef N
#define N 2
#endif

static mtx_t lock;
static int counter;

static int count(void *unused) {
    (void)unused;
    mtx_lock(&lock);
    counter++;
    mtx_unlock(&lock);
    return 0;
}

int main(void) {
    thrd_t threads[N];
    mtx_init(&lock, mtx_plain);
    for (int i = 0; i < N; i++)
        thrd_create(&threads[i], count, NULL);
    for (int i = 0; i < N; i++)
        thrd_join(threads[i], NULL);
    assert(counter == N);
    mtx_destroy(&lock);
    return 0;
}
