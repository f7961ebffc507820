// check: --property assert
// A pointer that nobody has written may hold any address, also that of a variable.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node end;

int main(void) {
    struct node *n = malloc(sizeof *n);
    assert(n->next != &end); //~ error[assert]
    free(n);
    return 0;
}
