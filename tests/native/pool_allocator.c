// A small allocator inside one malloc'd block: headers, splitting, joining, alignment, pointers between objects.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct header {
    uint32_t size;
    uint32_t free;
};

static unsigned char *pool;
enum { POOL = 1024, UNIT = 16 };

static struct header *after(struct header *h) { return (struct header *)((unsigned char *)(h + 1) + h->size); }
static int inside(struct header *h) { return (unsigned char *)h < pool + POOL; }

static void *take(size_t size) {
    uint32_t wanted = (uint32_t)((size + UNIT - 1) / UNIT * UNIT);
    for (struct header *h = (struct header *)pool; inside(h); h = after(h)) {
        while (h->free && inside(after(h)) && after(h)->free)
            h->size += (uint32_t)sizeof *h + after(h)->size;
        if (!h->free || h->size < wanted)
            continue;
        if (h->size > wanted + sizeof *h) {
            uint32_t rest = h->size - wanted - (uint32_t)sizeof *h;
            h->size = wanted;
            *after(h) = (struct header){rest, 1};
        }
        h->free = 0;
        return h + 1;
    }
    return NULL;
}

static void give(void *p) {
    if (p)
        ((struct header *)p - 1)->free = 1;
}

static void map(void) {
    for (struct header *h = (struct header *)pool; inside(h); h = after(h))
        printf("%s%u ", h->free ? "free:" : "", h->size);
    printf("\n");
}

struct node {
    struct node *next;
    char text[20];
};

int main(void) {
    pool = malloc(POOL);
    *(struct header *)pool = (struct header){POOL - sizeof(struct header), 1};
    void *blocks[6];
    for (int i = 0; i < 6; i++)
        blocks[i] = take((size_t)(i * 30 + 1));
    map();
    give(blocks[1]);
    give(blocks[3]);
    map();
    give(blocks[2]);
    printf("%d\n", take(150) == blocks[1]);
    map();
    printf("%d\n", take(5000) == NULL);
    struct node *list = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = take(48);
        snprintf(n->text, sizeof n->text, "node %d", i);
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        printf("%s ", n->text);
    printf("\n%d\n", (int)(((unsigned char *)list - pool) % 8));
    for (struct header *h = (struct header *)pool; inside(h); h = after(h))
        h->free = 1;
    printf("%d\n", take(POOL - sizeof(struct header)) == pool + sizeof(struct header));
    map();
    free(pool);
    return 0;
}
