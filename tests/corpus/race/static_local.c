// A static local variable is one for all threads.
#include <pthread.h>

static int next_number(void) {
    static int last;
    return ++last;
}

static void *work(void *unused) {
    next_number();
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, work, NULL);
    pthread_create(&b, NULL, work, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
