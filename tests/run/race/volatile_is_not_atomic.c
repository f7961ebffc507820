// run: --runs 50 --seed 1
// `volatile` does not make an access atomic, nor does it order anything.
#include <pthread.h>

static volatile int stop;

static void *worker(void *unused) {
    (void)unused;
    stop = 1; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
