// Two threads add one, and take it away again if the sum is above one; one of them keeps the comparison before it acts on
// it. The assertion fails: both can see a sum of two, and then nothing is left. The program of Fig. 1 in Cordeiro and
// Fischer, Verifying Multi-threaded Software using SMT-based Context-Bounded Model Checking (ICSE 2011), with an atomic
// variable, so that each of its statements is a step and nothing races; with -DPLAIN it is a data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#ifdef PLAIN
static int x;
#else
static atomic_int x;
#endif

static void *compare(void *unused) {
    x++;
    if (x > 1)
        x--;
    return unused;
}

static void *compare_first(void *unused) {
    x++;
    bool is_above = x > 1;
    if (is_above)
        x--;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, compare, NULL);
    pthread_create(&b, NULL, compare_first, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(x == 1);
    return 0;
}
