// The filter lock with a level too few: two of three threads get through.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#ifndef N
#define N 3
#endif

static atomic_int level[N], victim[N], inside;

static bool somebody_at(int height, int me) {
    for (int other = 0; other < N; other++)
        if (other != me && level[other] >= height)
            return true;
    return false;
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    for (int height = 1; height < N - 1; height++) {
        level[me] = height;
        victim[height] = me;
        while (victim[height] == me && somebody_at(height, me)) {
        }
    }
    assert(inside++ == 0);
    inside--;
    level[me] = 0;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, worker, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
