// check: --unwind 3 --property race
// What comes before the threads is followed to where they start, whatever the bound.
#include <pthread.h>
#include <threadproof.h>

static int ready, counter;

static void *work(void *unused) {
    counter++; //~ error[race]
    return unused;
}

int main(void) {
    while (ready < 64)
        ready += tp_input_bool("step");
    pthread_t one, two;
    pthread_create(&one, 0, work, 0);
    pthread_create(&two, 0, work, 0);
    pthread_join(one, 0);
    pthread_join(two, 0);
    return 0;
}
