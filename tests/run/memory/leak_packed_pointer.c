// run: --runs 1
// Pointers that lie unaligned, or were moved byte by byte, still hold their memory.
#include <stdlib.h>
#include <string.h>

static struct __attribute__((packed)) {
    char tag;
    int *p;
} packed;
static char *names[2];
static unsigned char bytes[16];

static void swap(void *a, void *b, size_t size) {
    unsigned char *x = a, *y = b;
    for (size_t i = 0; i < size; i++) {
        unsigned char t = x[i];
        x[i] = y[i];
        y[i] = t;
    }
}

int main(void) {
    packed.p = malloc(4);
    names[0] = malloc(5);
    names[1] = malloc(6);
    swap(&names[0], &names[1], sizeof names[0]);
    int *p = malloc(4);
    memcpy(bytes + 3, &p, sizeof p);
    return 0;
}
