// The assertion fails only in the middle of the section, after one switch: the section must not be taken as a whole.
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *look(void *unused) {
    assert(x == 0);
    return unused;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, look, NULL);
    pthread_mutex_lock(&m);
    x = 1;
    x = 0;
    pthread_mutex_unlock(&m);
    pthread_join(t, NULL);
    return 0;
}
