// check: --property assert,reach-error,lock
// Without the join a part of it can be seen.
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
    size_t seen = strlen(name);
    assert(seen == 0 || seen == 6 || seen == 11); //~ error[assert]
    return 0;
}
