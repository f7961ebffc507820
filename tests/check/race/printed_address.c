// check: --engine explore --property race --unmodelled pure
// An address that was printed and read again is an address.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int x, y;
static char text[32];

static void *write_to_text(void *unused) {
    *(int *)strtoul(text, NULL, 16) = 1; //~ error[race]
    return unused;
}

int main(void) {
    snprintf(text, sizeof text, "%p", (void *)&x);
    pthread_t t;
    pthread_create(&t, NULL, write_to_text, NULL);
    x = 2;
    pthread_join(t, NULL);
    return y;
}
