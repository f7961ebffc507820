// run: --runs 50 --seed 1
// One thread writes a whole word, the other one byte in the middle of it.
#include <pthread.h>
#include <stdint.h>

static union {
    uint32_t word;
    uint8_t bytes[4];
} device;

static void *poke(void *unused) {
    (void)unused;
    device.bytes[2] = 0xff; //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, poke, NULL);
    device.word = 1;
    pthread_join(thread, NULL);
    return 0;
}
