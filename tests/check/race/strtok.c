// check: --property race
// Two threads cut their own strings, but strtok remembers one place for both (C11 7.24.5.8).
#include <pthread.h>
#include <string.h>

static void *cut(void *text) {
    strtok(text, " "); //~ error[race]
    return NULL;
}

int main(void) {
    char first[] = "a b", second[] = "c d";
    pthread_t t;
    pthread_create(&t, NULL, cut, first);
    strtok(second, " ");
    pthread_join(t, NULL);
    return 0;
}
