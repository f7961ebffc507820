// check: --property race
// strtok_r remembers it where it is told to.
#include <pthread.h>
#include <string.h>

static void *cut(void *text) {
    char *rest;
    strtok_r(text, " ", &rest);
    return NULL;
}

int main(void) {
    char first[] = "a b", second[] = "c d", *rest;
    pthread_t t;
    pthread_create(&t, NULL, cut, first);
    strtok_r(second, " ", &rest);
    pthread_join(t, NULL);
    return 0;
}
