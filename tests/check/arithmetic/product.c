// check: --property overflow
// Unsigned numbers of 16 bits are multiplied as signed ones of 32.
#include <pthread.h>
#include <threadproof.h>

static unsigned short width, height;

static void *measure(void *unused) {
    width = tp_input_ushort("width");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, measure, NULL);
    height = tp_input_ushort("height");
    pthread_join(t, NULL);
    return width * height == 1; //~ error[overflow]
}
