// Reorder: SETTERS threads set a and then b; CHECKERS threads look at both. The assertion fails: a checker that comes
// between the two assignments sees a without b. The variables are atomic, so nothing races; with -DPLAIN they are not, and
// it is a data race.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SETTERS
#define SETTERS 2
#endif
#ifndef CHECKERS
#define CHECKERS 1
#endif

#ifdef PLAIN
static int a, b;
#else
static atomic_int a, b;
#endif

static void *set(void *unused) {
    a = 1;
    b = -1;
    return unused;
}

static void *check(void *unused) {
    int seen_a = a, seen_b = b;
    assert((seen_a == 0 && seen_b == 0) || (seen_a == 1 && seen_b == -1));
    return unused;
}

int main(void) {
    pthread_t setters[SETTERS], checkers[CHECKERS];
    for (int i = 0; i < SETTERS; i++)
        pthread_create(&setters[i], NULL, set, NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_create(&checkers[i], NULL, check, NULL);
    for (int i = 0; i < SETTERS; i++)
        pthread_join(setters[i], NULL);
    for (int i = 0; i < CHECKERS; i++)
        pthread_join(checkers[i], NULL);
    return 0;
}
