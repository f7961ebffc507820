// run: --runs 1
// A member of a struct at address zero is written.
#include <stddef.h>

struct node {
    struct node *next;
    int value;
};

static void set(struct node *node, int value) {
    node->value = value; //~ error[memory]
}

int main(void) {
    struct node last = {NULL, 1};
    set(&last, 2);
    set(last.next, 3);
    return 0;
}
