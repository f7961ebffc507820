// run: --runs 1
// The next pointer is read before its node is freed.
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
        struct node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
