// check: --property overflow
// The product of both fits.
#include <pthread.h>
#include <threadproof.h>

static unsigned short width;
static unsigned char height;

static void *measure(void *unused) {
    width = tp_input_ushort("width");
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, measure, NULL);
    height = tp_input_uchar("height");
    pthread_join(t, NULL);
    return width * height == 1;
}
