// events: --property stuck
// Where waiting for ever is looked for, a loop that comes round says so.
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, other_flag;

static void *other(void *unused) {
    flag = 1;
    return unused;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, 0, other, 0);
    while (!flag || !other_flag) { }
    return 0;
}
