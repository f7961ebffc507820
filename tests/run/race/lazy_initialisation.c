// run: --runs 50 --seed 1
// Two threads initialise a table on first use; the check of the flag is not protected.
#include <pthread.h>
#include <stdbool.h>

static bool initialised;
static int squares[4];

static void ensure(void) {
    if (!initialised) { //~ error[race]
        for (int i = 0; i < 4; i++)
            squares[i] = i * i;
        initialised = true;
    }
}

static void *lookup(void *result) {
    ensure();
    *(int *)result = squares[3];
    return NULL;
}

int main(void) {
    int x = 0, y = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, lookup, &x);
    pthread_create(&b, NULL, lookup, &y);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return x != 9 || y != 9;
}
