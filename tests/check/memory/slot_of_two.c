// check: --property invalid-deref,out-of-bounds,use-after-free,double-free,invalid-free
// Both threads take the last slot, and the second one writes behind it.
#include <pthread.h>
#include <stdatomic.h>

static int slots[2];
static atomic_int used = 1;

static void *put(void *value) {
    if (used < 2) {
        int slot = used++;
        slots[slot] = *(int *)value; //~ error[memory]
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
