// check: --property assert,reach-error,lock
// An address as a number, moved far away and back. It still is one of the same array.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <threadproof.h>

static int other[4000], items[20], more[4000];
static uintptr_t far;

static void *move(void *unused) {
    far += 8;
    return unused;
}

int main(void) {
    unsigned at = tp_input_uint("at");
    tp_assume(at < 8);
    items[3] = 7;
    other[3] = more[3] = 0;
    far = (uintptr_t)items + sizeof(int) * at + 0x100000;
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    pthread_join(thread, NULL);
    int *back = (int *)(far - 0x100000);
    assert(*back == 0); //~ error[assert]
    return 0;
}
