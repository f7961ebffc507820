// Each of two threads fills two places of an array of three, and nobody looks at the end.
#include <pthread.h>
#include <stdatomic.h>

static int cell[3];
static atomic_int next;

static void *fill(void *unused) {
    for (int i = 0; i < 2; i++)
        cell[atomic_fetch_add(&next, 1)] = 1;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, fill, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
