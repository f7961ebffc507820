// The ring is for one producer: two of them write the same slot.
#include <pthread.h>
#include <stdatomic.h>

static int slot[4];
static atomic_uint written;

static void *produce(void *argument) {
    unsigned place = atomic_load(&written);
    slot[place] = *(int *)argument;
    atomic_store(&written, place + 1);
    return NULL;
}

int main(void) {
    static int one = 1, two = 2;
    pthread_t a, b;
    pthread_create(&a, NULL, produce, &one);
    pthread_create(&b, NULL, produce, &two);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
