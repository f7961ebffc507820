// check: --unwind 3 --property assert
// The same without a race: a proof within the bound, of executions that do start threads.
#include <pthread.h>
#include <threadproof.h>

static int ready, counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
    pthread_mutex_lock(&m);
    counter++;
    pthread_mutex_unlock(&m);
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
