// run: --runs 50 --seed 1
// The thread still uses a local variable of the function that started it and has returned.
#include <pthread.h>

static pthread_t thread;

static void *use(void *argument) {
    int *value = argument;
    *value += 1; //~ error[memory]
    return NULL;
}

static void start(void) {
    int value = 1;
    pthread_create(&thread, NULL, use, &value);
}

int main(void) {
    start();
    pthread_join(thread, NULL);
    return 0;
}
