// A thread follows a pointer that another one may not have set yet.
#include <pthread.h>
#include <stdatomic.h>

static int number = 7;
static int *_Atomic pointer;

static void *make(void *unused) {
    pointer = &number;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, make, NULL);
    int copy = *pointer;
    pthread_join(thread, NULL);
    return copy == 3;
}
