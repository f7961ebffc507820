// run: --runs 50 --seed 1
// The function waits for the thread that uses its local variable.
#include <pthread.h>

static pthread_t thread;

static void *use(void *argument) {
    int *value = argument;
    *value += 1;
    return NULL;
}

static void start(void) {
    int value = 1;
    pthread_create(&thread, NULL, use, &value);
    pthread_join(thread, NULL);
}

int main(void) {
    start();
    return 0;
}
