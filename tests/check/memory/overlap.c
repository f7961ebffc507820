// check: --property valid-memsafety
// How far a text is moved is halved meanwhile: it is copied onto a part of itself.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int distance = 4;
static char text[8] = "abc";

static void *halve(void *unused) {
    distance = 2;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, halve, NULL);
    memcpy(text + distance, text, 4); //~ error[memory]
    pthread_join(thread, NULL);
    return 0;
}
