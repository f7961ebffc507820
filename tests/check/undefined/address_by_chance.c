// check: --property memory
// What nobody has written may hold an address by chance, and then it is one. To look at it is undefined, and comes first.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node end = {1, 0}, *n = malloc(sizeof *n);
    int value = 0;
    if (n->next == &end)
        value = n->next->value; //~ warning[undefined]
    free(n);
    return value;
}
