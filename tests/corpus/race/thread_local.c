// A thread-local variable is one for each thread.
#include <assert.h>
#include <pthread.h>

static _Thread_local int last;

static void *work(void *unused) {
    last++;
    last++;
    assert(last == 2);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(last == 0);
    return 0;
}
