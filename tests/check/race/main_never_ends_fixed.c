// check:
// Main does nothing for ever, and nobody is stuck for that.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int count;

static void *work(void *unused) {
    count++;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    while (1)
        ;
}
