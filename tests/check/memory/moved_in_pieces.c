// check: --property assert
// What stays where it is does so in one step; what is moved from elsewhere is seen by halves.
#include <assert.h>
#include <pthread.h>
#include <string.h>

extern _Bool __VERIFIER_nondet_bool(void);
static long numbers[4] = {0, 0, 1, 1};

static void *look(void *unused) {
    if (__atomic_load_n(&numbers[0], 5) == 1) assert(__atomic_load_n(&numbers[1], 5) == 1); //~ error[assert]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, look, NULL);
    memmove(&numbers[0], &numbers[__VERIFIER_nondet_bool() ? 0 : 2], 2 * sizeof *numbers);
    pthread_join(thread, NULL);
    return 0;
}
