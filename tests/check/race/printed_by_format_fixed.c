// check: --property race
// The text is printed when nobody changes it any more.
#include <pthread.h>
#include <stdio.h>

static char text[4] = "ab";

static void *change(void *unused) {
    text[1] = 'c';
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, NULL);
    pthread_join(thread, NULL);
    printf("%s\n", text);
    return 0;
}
