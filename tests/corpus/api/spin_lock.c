// A spin lock of POSIX.
#include <assert.h>
#include <pthread.h>

#ifndef N
#define N 2
#endif

static pthread_spinlock_t lock;
static int counter;

static void *count(void *unused) {
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    return unused;
}

int main(void) {
    pthread_t threads[N];
    pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, count, NULL);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(counter == N);
    pthread_spin_destroy(&lock);
    return 0;
}
