// check: --property race --unmodelled pure
// An address that was printed and read again is an address, and the other variable is not shared.
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static int x, y;
static char text[32];

static void *write_to_text(void *unused) {
    *(int *)strtoul(text, NULL, 16) = 1;
    return unused;
}

int main(void) {
    snprintf(text, sizeof text, "%p", (void *)&x);
    pthread_t t;
    pthread_create(&t, NULL, write_to_text, NULL);
    y = 2;
    pthread_join(t, NULL);
    return y;
}
