// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// Whoever has taken a slot looks whether it is one.
#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_int used = 1;

static void *put(void *value) {
    int slot = used++;
    if (slot < 2) {
        slots[slot] = *(int *)value;
    }
    return NULL;
}

int main(void) {
    int a = 1, b = 2;
    pthread_t s, t;
    pthread_create(&s, NULL, put, &a);
    pthread_create(&t, NULL, put, &b);
    pthread_join(s, NULL);
    pthread_join(t, NULL);
    return 0;
}
