// Designated initialisers, compound literals, string initialisers, flexible array members and constant tables with relocations.
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    int x, y;
};
struct line {
    struct point from, to;
    const char *label;
};
struct tree {
    int value;
    const struct tree *left, *right;
};

static const struct tree leaves[] = {{1, NULL, NULL}, {3, NULL, NULL}, {5, NULL, NULL}};
static const struct tree low = {2, &leaves[0], &leaves[1]};
static const struct tree root = {4, &low, leaves + 2};
static int numbers[10] = {[2] = 5, 6, [8] = 9, [0] = 1};
static int *const middle = &numbers[5];
static const char *const *table_end;
static const char *const names[] = {"zero", "one", [4] = "four"};
static const char text[] = "text\0more";
static char grid[][4] = {"abc", {'d', 'e'}, "ghij"};
static struct {
    int (*compare)(const char *, const char *);
    const char **target;
    size_t offset;
} relocated = {strcmp, NULL, offsetof(struct line, to.y)};
static long address_difference = (char *)&numbers[7] - (char *)&numbers[3];
static struct line lines[] = {
    [1] = {.to.y = 4, .from = {.x = 1, .y = 2}, .label = "second"},
    [0].label = "first",
};

struct packet {
    unsigned char length;
    short data[];
};

static int walk(const struct tree *t) {
    if (!t)
        return 0;
    int n = walk(t->left);
    printf("%d ", t->value);
    return n + 1 + walk(t->right);
}

static int area(const struct point *corners) { return (corners[1].x - corners[0].x) * (corners[1].y - corners[0].y); }

int main(void) {
    printf("%d\n", walk(&root));
    for (int i = 0; i < 10; i++)
        printf("%d ", numbers[i]);
    printf("%d\n", middle[3]);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        printf("%s ", names[i] ? names[i] : "-");
    table_end = names + sizeof names / sizeof *names;
    printf("%s %d\n", table_end[-1], (int)sizeof text);
    printf("%s %s %.4s %d\n", grid[0], grid[1], grid[2], (int)sizeof grid);
    printf("%d %d %ld\n", relocated.compare("a", "a"), (int)relocated.offset, address_difference);
    printf("%s %d %d %d %d %s\n", lines[0].label, lines[0].to.y, lines[1].from.x, lines[1].from.y, lines[1].to.y,
           lines[1].label);
    printf("%d\n", area((struct point[]){{1, 1}, {4, 5}}));
    struct point *p = &(struct point){.y = 7};
    p->x = p->y * 2;
    printf("%d %d\n", p->x, p->y);
    int *list = (int[]){3, 2, 1};
    printf("%d\n", list[0] + list[1] + list[2]);
    struct line copy = lines[1];
    copy.to = (struct point){8, 9};
    printf("%d %d %d\n", copy.to.x, copy.to.y, lines[1].to.x);
    struct packet *packet = malloc(sizeof *packet + 3 * sizeof packet->data[0]);
    packet->length = 3;
    for (int i = 0; i < packet->length; i++)
        packet->data[i] = (short)(i * 100);
    printf("%d %d %d\n", (int)sizeof(struct packet), (int)offsetof(struct packet, data), packet->data[2]);
    free(packet);
    char local[8] = "hi", empty[4] = {0}, letters[3] = "xyz";
    printf("%d %d %c\n", local[7], empty[3], letters[2]);
    int matrix[2][3] = {1, 2, 3, 4};
    printf("%d %d\n", matrix[1][0], matrix[1][2]);
    return 0;
}
