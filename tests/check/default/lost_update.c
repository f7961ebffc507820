// check:
// Nothing is claimed, and nothing needs to be: two threads count at the same time.
#include <pthread.h>

static int count;

static void *add(void *unused) {
    count++; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, add, NULL);
    pthread_create(&b, NULL, add, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
