// The order of the locks is an input: only one of its values makes a circle.
#include <pthread.h>
#include <threadproof.h>

static pthread_mutex_t lock[3] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void nested(int first, int second) {
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[second]);
    pthread_mutex_unlock(&lock[second]);
    pthread_mutex_unlock(&lock[first]);
}

static void *up(void *unused) {
    nested(0, 1);
    return unused;
}

int main(void) {
    pthread_t thread;
    int first = tp_input_range("first", 1, 2);
    pthread_create(&thread, NULL, up, NULL);
    nested(first, 0);
    pthread_join(thread, NULL);
    return 0;
}
