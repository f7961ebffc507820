// C11 threads: call_once makes the table once, and everybody waits until it is made.
#include <assert.h>
#include <threads.h>

static once_flag once = ONCE_FLAG_INIT;
static int table[2], made;

static void make(void) {
    made++;
    table[0] = 1;
    table[1] = 2;
}

static int look(void *unused) {
    (void)unused;
    call_once(&once, make);
    assert(table[0] + table[1] == 3);
    return 0;
}

int main(void) {
    thrd_t a, b;
    thrd_create(&a, look, NULL);
    thrd_create(&b, look, NULL);
    thrd_join(a, NULL);
    thrd_join(b, NULL);
    assert(made == 1);
    return 0;
}
