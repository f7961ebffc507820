// check:
// Main does nothing for ever, as in a program without an end: what the others do wrong is found all the same.
#include <pthread.h>

static int count;

static void *work(void *unused) {
    count++; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    while (1)
        ;
}
