// run: --runs 50
// A number is read from a text that another thread still writes.
#include <pthread.h>
#include <stdlib.h>

static char text[8] = "1.5";

static void *change(void *unused) {
    (void)unused;
    text[0] = '2'; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    double x = atof(text);
    pthread_join(thread, NULL);
    return x < 1;
}
