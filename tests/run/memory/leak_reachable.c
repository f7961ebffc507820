// run: --runs 1
// What a global variable still points to at the end, directly or through other objects, is no leak.
#include <stdlib.h>

struct node {
    struct node *next;
};
static struct node *head;

int main(void) {
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    return 0;
}
