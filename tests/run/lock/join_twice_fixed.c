// run: --runs 20 --seed 1
// Each thread is joined once.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, nothing, NULL);
    pthread_create(&b, NULL, nothing, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
