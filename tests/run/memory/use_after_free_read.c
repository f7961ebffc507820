// run: --runs 1
// A list is freed by following the next pointer of a node that is already gone.
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    while (head) {
        free(head);
        head = head->next; //~ error[memory]
    }
    return 0;
}
