// run: --runs 20 --seed 1
// A detached thread is joined.
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, nothing, NULL);
    pthread_detach(thread);
    pthread_join(thread, NULL); //~ error[lock]
    return 0;
}
