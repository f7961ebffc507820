// check: --property valid-memsafety
// How far a text is moved is set to nothing meanwhile, and what is copied onto itself stays as it is; a part of it is moved.
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static atomic_int distance = 4;
static char text[8] = "abc";

static void *reset(void *unused) {
    distance = 0;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, reset, NULL);
    memcpy(text + distance, text, 4);
    pthread_join(thread, NULL);
    memmove(text + 2, text, 4);
    return 0;
}
