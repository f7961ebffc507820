// run: --runs 50 --seed 1
// The counter is thread-local, but one thread hands a pointer to its own copy to the other.
#include <assert.h>
#include <pthread.h>

static _Thread_local int counter;
static int *of_main;

static void *work(void *unused) {
    (void)unused;
    *of_main += 1; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    of_main = &counter;
    pthread_create(&thread, NULL, work, NULL);
    counter += 1;
    pthread_join(thread, NULL);
    return 0;
}
