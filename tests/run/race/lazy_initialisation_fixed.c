// run: --runs 50 --seed 1
// Two threads initialise a table on first use; check and initialisation are one critical section.
#include <pthread.h>
#include <stdbool.h>

static bool initialised;
static int squares[4];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void ensure(void) {
    pthread_mutex_lock(&lock);
    if (!initialised) {
        for (int i = 0; i < 4; i++)
            squares[i] = i * i;
        initialised = true;
    }
    pthread_mutex_unlock(&lock);
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
