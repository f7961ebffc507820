// Anderson's array lock with fewer slots than threads: two of them wait in the same slot and may go together.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define N 3
#define SLOTS (N - 1)

static atomic_int may_go[SLOTS] = {1}, inside;
static atomic_uint next;

static void *worker(void *unused) {
    unsigned slot = atomic_fetch_add(&next, 1) % SLOTS;
    while (!may_go[slot]) {
    }
    may_go[slot] = 0;
    assert(inside++ == 0);
    inside--;
    may_go[(slot + 1) % SLOTS] = 1;
    return unused;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
