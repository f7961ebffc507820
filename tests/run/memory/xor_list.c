// run: --runs 1
// A doubly linked list with one link: the XOR of both neighbours. Each address is made from two others.
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

struct node {
    int value;
    uintptr_t link;
};

int main(void) {
    struct node *n[4];
    for (int i = 0; i < 4; i++) {
        n[i] = malloc(sizeof *n[i]);
        n[i]->value = i;
    }
    for (int i = 0; i < 4; i++)
        n[i]->link = (i > 0 ? (uintptr_t)n[i - 1] : 0) ^ (i < 3 ? (uintptr_t)n[i + 1] : 0);
    int sum = 0;
    struct node *before = NULL;
    for (struct node *at = n[0]; at;) {
        sum = 10 * sum + at->value;
        struct node *next = (struct node *)(at->link ^ (uintptr_t)before);
        before = at;
        at = next;
    }
    assert(sum == 123);
    for (int i = 0; i < 4; i++)
        free(n[i]);
    return 0;
}
