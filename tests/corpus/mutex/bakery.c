// Lamport's bakery: take a number larger than all others, then wait for everybody with a smaller one. While a thread
// chooses its number, the others wait for it.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int choosing[N], number[N];
static int inside;

static void lock(int me) {
    choosing[me] = 1;
    int largest = 0;
    for (int other = 0; other < N; other++) {
        int theirs = number[other];
        if (theirs > largest)
            largest = theirs;
    }
    int mine = largest + 1;
    number[me] = mine;
    choosing[me] = 0;
    for (int other = 0; other < N; other++) {
        if (other == me)
            continue;
        while (choosing[other]) {
        }
        int theirs;
        while ((theirs = number[other]) != 0 && (theirs < mine || (theirs == mine && other < me))) {
        }
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    inside++;
    assert(inside == 1);
    inside--;
    number[me] = 0;
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
