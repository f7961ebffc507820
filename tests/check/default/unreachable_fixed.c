// check:
// What the program declares unreachable is not reached: nothing is wrong.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int kind;

static void *other_kind(void *unused) {
    kind = 1;
    return unused;
}

static int size_of(int kind) {
    switch (kind) {
    case 0: return 4;
    case 1: return 8;
    }
    __builtin_unreachable();
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, other_kind, NULL);
    return size_of(kind) == 0;
}
