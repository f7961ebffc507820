// run: --runs 20 --seed 1
// The same thread is joined twice.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, nothing, NULL);
    pthread_create(&b, NULL, nothing, NULL);
    pthread_join(a, NULL);
    pthread_join(a, NULL); //~ error[lock]
    return 0;
}
