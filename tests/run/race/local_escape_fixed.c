// run: --runs 50 --seed 1
// Each thread is given a local variable of its own.
#include <pthread.h>

static void *bump(void *argument) {
    int *count = argument;
    *count += 1;
    return NULL;
}

int main(void) {
    int mine = 0, yours = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, bump, &mine);
    pthread_create(&b, NULL, bump, &yours);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return mine + yours != 2;
}
