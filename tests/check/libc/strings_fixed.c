// check: --property assert,reach-error,lock
// Strings are built by one thread and read by another after the join; what is printed decides nothing.
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static char name[16];

static void *write(void *unused) {
    (void)unused;
    strcpy(name, "thread");
    strcat(name, "proof");
    printf("%s has %d letters\n", name, (int)strlen(name));
    return NULL;
}

int main(void) {
    pthread_t a;
    pthread_create(&a, NULL, write, NULL);
    pthread_join(a, NULL);
    assert(strlen(name) == 11 && strcmp(name, "threadproof") == 0);
    assert(strchr(name, 'p') == name + 6);
    return 0;
}
