// check: --property memory
// What is freed is no pointer to an object. The program compares addresses, so that freed memory is given out again, and its
// size is asked for.
#include <stdatomic.h>
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

static struct node *list, *_Atomic top;

int main(void) {
    struct node *seen = top;
    if (atomic_compare_exchange_strong(&top, &seen, 0))
        free(seen);
    free(&list->next); //~ error[memory]
    return 0;
}
