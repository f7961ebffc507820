// Two threads add to two numbers in turn, N times each: i += j and j += i. At best they get as far as Fibonacci, at the
// number 2 N + 2. The mistake: that number is reached, by threads that strictly alternate.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef N
#define N 3
#endif

static atomic_int i = 1, j = 1;

static void *add_j(void *unused) {
    for (int k = 0; k < N; k++)
        i += j;
    return unused;
}

static void *add_i(void *unused) {
    for (int k = 0; k < N; k++)
        j += i;
    return unused;
}

static int fibonacci(int n) {
    int last = 0, current = 1;
    while (n-- > 1) {
        int next = last + current;
        last = current;
        current = next;
    }
    return current;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add_j, NULL);
    pthread_create(&b, NULL, add_i, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    int most = fibonacci(2 * N + 2);
#ifdef MISTAKE
    assert(i < most && j < most);
#else
    assert(i <= most && j <= most);
#endif
    return 0;
}
