// C11 threads: a counter without a lock.
#include <threads.h>

static int counter;

static int count(void *unused) {
    (void)unused;
    counter++;
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, count, NULL);
    thrd_create(&b, count, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    return 0;
}
