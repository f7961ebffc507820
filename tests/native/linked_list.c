// Singly and doubly linked lists: insert, reverse, merge sort, remove, splice with pointers to pointers.
#include <stdio.h>
#include <stdlib.h>

struct node {
    struct node *next;
    int value;
};

static struct node *push(struct node *head, int value) {
    struct node *node = malloc(sizeof *node);
    *node = (struct node){head, value};
    return node;
}

static void show(const struct node *head) {
    for (; head; head = head->next)
        printf("%d ", head->value);
    printf("\n");
}

static struct node *reverse(struct node *head) {
    struct node *result = NULL;
    while (head) {
        struct node *next = head->next;
        head->next = result;
        result = head;
        head = next;
    }
    return result;
}

static struct node *merge(struct node *a, struct node *b) {
    struct node *head = NULL, **tail = &head;
    while (a && b) {
        struct node **smaller = a->value <= b->value ? &a : &b;
        *tail = *smaller;
        tail = &(*tail)->next;
        *smaller = *tail;
    }
    *tail = a ? a : b;
    return head;
}

static struct node *sort(struct node *head) {
    if (!head || !head->next)
        return head;
    struct node *slow = head, *fast = head->next;
    while (fast && fast->next) {
        slow = slow->next;
        fast = fast->next->next;
    }
    struct node *half = slow->next;
    slow->next = NULL;
    return merge(sort(head), sort(half));
}

static void remove_if(struct node **p, int (*test)(int)) {
    while (*p)
        if (test((*p)->value)) {
            struct node *gone = *p;
            *p = gone->next;
            free(gone);
        } else {
            p = &(*p)->next;
        }
}

static int is_even(int x) { return x % 2 == 0; }
static int always(int x) { return x == x; }

struct ring {
    struct ring *before, *after;
    char name;
};

static void link_after(struct ring *where, struct ring *what) {
    what->before = where;
    what->after = where->after;
    where->after->before = what;
    where->after = what;
}

int main(void) {
    struct node *head = NULL;
    for (int i = 0; i < 15; i++)
        head = push(head, i * 7 % 16);
    show(head);
    head = reverse(head);
    show(head);
    head = sort(head);
    show(head);
    remove_if(&head, is_even);
    show(head);
    remove_if(&head, always);
    printf("%d\n", head == NULL);
    struct ring rings[4];
    rings[0] = (struct ring){&rings[0], &rings[0], 'a'};
    for (int i = 1; i < 4; i++) {
        rings[i].name = (char)('a' + i);
        link_after(&rings[i / 2], &rings[i]);
    }
    struct ring *r = rings;
    for (int i = 0; i < 6; i++, r = r->after)
        printf("%c", r->name);
    for (int i = 0; i < 6; i++, r = r->before)
        printf("%c", r->name);
    printf("\n");
    return 0;
}
