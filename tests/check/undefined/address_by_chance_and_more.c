// check: --property memory
// As address_by_chance, but there is also a failure that needs no chance: it is found.
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void) {
    struct node end = {1, 0}, *n = malloc(sizeof *n);
    int value = 0;
    if (n->next == &end)
        value = n->next->value;
    n->next = 0;
    if (value)
        free(n);
    value += n->next->value; //~ error[memory]
    return value;
}
