// C11 threads: what a thread returns reaches the one who joins it.
#include <assert.h>
#include <threads.h>

static int square(void *argument) {
    int number = *(int *)argument;
    return number * number;
}

int main(void) {
    thrd_t a, b;
    int three = 3, four = 4, first, second;
    thrd_create(&a, square, &three);
    thrd_create(&b, square, &four);
    thrd_join(a, &first);
    thrd_join(b, &second);
    assert(first + second == 25);
    return 0;
}
