// check: --property assert,reach-error,lock
// A pointer that is put together from halves is not followed, also beside one that is known.
#include <assert.h>
#include <pthread.h>

static int one = 1, zero;
static int *known = &one;
static union {
    int *pointer;
    unsigned short halves[sizeof(int *) / sizeof(short)];
} box;

static void *fill(void *unused) {
    box.pointer = &zero;
    return unused;
}

static void *copy(void *unused) {
    int any = 0;
    union {
        int *pointer;
        unsigned short halves[sizeof(int *) / sizeof(short)];
    } own;
    for (unsigned i = 0; i < sizeof(int *) / sizeof(short); i++) {
        own.halves[i] = box.halves[i];
        any |= own.halves[i];
    }
    if (any)
        known = own.pointer;
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, fill, NULL);
    pthread_create(&b, NULL, copy, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(*known == 1); //~ error[unsupported]
    return 0;
}
