// A binary search tree and a binary heap: insert, remove, walk with recursion and with an explicit stack, free.
#include <stdio.h>
#include <stdlib.h>

struct node {
    int key;
    struct node *child[2];
};

static struct node **place(struct node **p, int key) {
    while (*p && (*p)->key != key)
        p = &(*p)->child[key > (*p)->key];
    return p;
}

static void insert(struct node **root, int key) {
    struct node **p = place(root, key);
    if (!*p) {
        *p = calloc(1, sizeof **p);
        (*p)->key = key;
    }
}

static int delete(struct node **root, int key) {
    struct node **p = place(root, key), *gone = *p;
    if (!gone)
        return 0;
    if (gone->child[0] && gone->child[1]) {
        struct node **q = &gone->child[1];
        while ((*q)->child[0])
            q = &(*q)->child[0];
        struct node *next = *q;
        gone->key = next->key;
        *q = next->child[1];
        gone = next;
    } else {
        *p = gone->child[0] ? gone->child[0] : gone->child[1];
    }
    free(gone);
    return 1;
}

static int height(const struct node *n) {
    if (!n)
        return 0;
    int l = height(n->child[0]), r = height(n->child[1]);
    return 1 + (l > r ? l : r);
}

static void walk(const struct node *root) {
    const struct node *stack[32];
    int top = 0;
    while (root || top) {
        for (; root; root = root->child[0])
            stack[top++] = root;
        root = stack[--top];
        printf("%d ", root->key);
        root = root->child[1];
    }
    printf("\n");
}

static void release(struct node *n) {
    if (!n)
        return;
    release(n->child[0]);
    release(n->child[1]);
    free(n);
}

int main(void) {
    struct node *root = NULL;
    for (int i = 0; i < 20; i++)
        insert(&root, i * 13 % 31);
    walk(root);
    printf("%d\n", height(root));
    const int keys[] = {13, 1000, 0, 13};
    for (int i = 0; i < 4; i++)
        printf("%d ", delete(&root, keys[i]));
    printf("\n");
    walk(root);
    release(root);
    int heap[32], n = 0;
    for (int i = 0; i < 16; i++) {
        int at = n++;
        for (int key = i * 11 % 17; at && heap[(at - 1) / 2] > key; at = (at - 1) / 2)
            heap[at] = heap[(at - 1) / 2];
        heap[at] = i * 11 % 17;
    }
    while (n) {
        printf("%d ", heap[0]);
        int last = heap[--n], at = 0;
        for (int c; (c = 2 * at + 1) < n; at = c) {
            if (c + 1 < n && heap[c + 1] < heap[c])
                c++;
            if (last <= heap[c])
                break;
            heap[at] = heap[c];
        }
        heap[at] = last;
    }
    printf("\n");
    return 0;
}
