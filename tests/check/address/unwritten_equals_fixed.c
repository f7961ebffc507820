// check: --property assert
// What was written is not the address of something else.
#include <assert.h>
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node end;

int main(void) {
    struct node *n = malloc(sizeof *n);
    n->next = n;
    assert(n->next != &end);
    free(n);
    return 0;
}
