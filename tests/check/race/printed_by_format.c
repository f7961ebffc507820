// check: --property race
// printf reads the text while another thread changes it.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "ab";

static void *change(void *unused) {
    text[1] = 'c'; //~ error[race]
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    printf("%s\n", text);
    pthread_join(thread, NULL);
    return 0;
}
