// Lamport's bakery without the flag for choosing: a thread that has picked its number but not yet written it is
// overlooked, and then goes first because of its place in the row.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#ifndef N
#define N 2
#endif

static atomic_int number[N], inside;

static void lock(int me) {
    int largest = 0;
    for (int other = 0; other < N; other++) {
        int theirs = number[other];
        if (theirs > largest)
            largest = theirs;
    }
    int mine = largest + 1;
    number[me] = mine;
    for (int other = 0; other < N; other++) {
        if (other == me)
            continue;
        int theirs;
        while ((theirs = number[other]) != 0 && (theirs < mine || (theirs == mine && other < me))) {
        }
    }
}

static void *worker(void *argument) {
    int me = (intptr_t)argument;
    lock(me);
    assert(inside++ == 0);
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
