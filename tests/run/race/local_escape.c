// run: --runs 50 --seed 1
// Two threads share a local variable of main through the pointer they were given.
#include <pthread.h>

static void *bump(void *argument) {
    int *count = argument;
    *count += 1; //~ error[race]
    return NULL;
}

int main(void) {
    int shared = 0;
    pthread_t a, b;
    pthread_create(&a, NULL, bump, &shared);
    pthread_create(&b, NULL, bump, &shared);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return shared == 0;
}
