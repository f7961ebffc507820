// check: --property lock
// A mutex as a gate: main locks it and the thread is to open it. A mutex is unlocked by whoever has locked it.
#include <pthread.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void *open_gate(void *unused) {
    pthread_mutex_unlock(&gate); //~ error[lock]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_mutex_lock(&gate);
    pthread_create(&thread, NULL, open_gate, NULL);
    pthread_join(thread, NULL);
    return 0;
}
