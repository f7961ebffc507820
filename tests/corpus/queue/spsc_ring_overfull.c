// The ring with a check that comes one too late: the producer overwrites a slot that was not read yet.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define SIZE 2
#define ITEMS 3

static atomic_int slot[SIZE];
static atomic_uint written, read;

static void *produce(void *unused) {
    for (unsigned i = 0; i < ITEMS; i++) {
        while (i - read > SIZE) {
        }
        slot[i % SIZE] = i + 1;
        written = i + 1;
    }
    return unused;
}

int main(void) {
    pthread_t producer;
    pthread_create(&producer, NULL, produce, NULL);
    for (unsigned i = 0; i < ITEMS; i++) {
        while (written == i) {
        }
        assert(slot[i % SIZE] == (int)i + 1);
        read = i + 1;
    }
    pthread_join(producer, NULL);
    return 0;
}
