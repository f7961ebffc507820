// Two threads count the nodes of a tree recursively, each its own side.
#include <assert.h>
#include <pthread.h>
#include <stddef.h>

struct node {
    struct node *left, *right;
};

static struct node leaf[3], inner[2] = {{&leaf[0], &leaf[1]}, {&leaf[2], NULL}};
static int count[2];

static int size(struct node *node) {
    return node ? 1 + size(node->left) + size(node->right) : 0;
}

static void *left(void *unused) {
    count[0] = size(&inner[0]);
    return unused;
}

static void *right(void *unused) {
    count[1] = size(&inner[1]);
    return unused;
}

int main(void) {
    pthread_t a, b;
    pthread_create(&a, NULL, left, NULL);
    pthread_create(&b, NULL, right, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    assert(count[0] + count[1] == 5);
    return 0;
}
