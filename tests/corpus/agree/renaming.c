// Three threads get new names below six from a grid of splitters, without any read-modify-write.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#define N 3

static struct {
    atomic_int last, closed;
} grid[N][N];
static int name[N];

static void *rename_me(void *argument) {
    int me = (intptr_t)argument, row = 0, column = 0;
    while (row + column < N - 1) {
        grid[row][column].last = me;
        if (grid[row][column].closed) {
            column++;
        } else {
            grid[row][column].closed = 1;
            if (grid[row][column].last == me)
                break;
            row++;
        }
    }
    name[me] = N * row + column;
    return NULL;
}

int main(void) {
    pthread_t threads[N];
    for (int i = 0; i < N; i++)
        pthread_create(&threads[i], NULL, rename_me, (void *)(intptr_t)i);
    for (int i = 0; i < N; i++)
        pthread_join(threads[i], NULL);
    assert(name[0] != name[1] && name[1] != name[2] && name[0] != name[2]);
    return 0;
}
