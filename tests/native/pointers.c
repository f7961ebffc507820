// Pointer arithmetic, comparison, pointers to pointers and to arrays, void pointers, casts to integers and back.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct item {
    int id;
    char name[6];
    double weight;
};

static int matrix[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};

static void swap(void *a, void *b, size_t n) {
    unsigned char *x = a, *y = b;
    while (n--) {
        unsigned char t = *x;
        *x++ = *y;
        *y++ = t;
    }
}

static int *find(int *from, int *to, int value) {
    while (from != to && *from != value)
        from++;
    return from;
}

static void advance(const char **text) {
    while (**text && **text != ' ')
        ++*text;
    while (**text == ' ')
        ++*text;
}

int main(void) {
    int values[6] = {3, 1, 4, 1, 5, 9};
    int *p = values + 2, *end = values + 6;
    printf("%d %d %d %d\n", *p, p[-1], *(p + 1), 2 [values]);
    printf("%d %d %d\n", (int)(end - p), (int)(p - values), (int)((char *)end - (char *)p));
    printf("%d %d %d\n", p < end, p == &values[2], end >= values);
    printf("%d %d\n", (int)(find(values, end, 5) - values), (int)(find(values, end, 7) - values));
    printf("%d", *p++);
    printf(" %d", *++p);
    printf(" %d", (*p)++);
    printf(" %d\n", --*p);
    int(*row)[4] = matrix + 1;
    printf("%d %d %d %d\n", (*row)[2], row[1][0], *(*(matrix + 2) + 3), (int)sizeof *row);
    int *flat = &matrix[0][0], sum = 0;
    for (int i = 0; i < 4; i++)
        sum += flat[i] * row[-1][3 - i];
    printf("%d\n", sum);
    struct item items[2] = {{1, "one", 1.5}, {2, "two", 2.5}};
    swap(&items[0], &items[1], sizeof items[0]);
    printf("%d %s %g %d %s %g\n", items[0].id, items[0].name, items[0].weight, items[1].id, items[1].name,
           items[1].weight);
    double *weight = &items[1].weight;
    struct item *owner = (struct item *)((char *)weight - offsetof(struct item, weight));
    printf("%d %s\n", owner->id, owner->name);
    const char *text = "alpha beta  gamma";
    for (; *text; advance(&text))
        printf("[%s]\n", text);
    uintptr_t address = (uintptr_t)&values[1];
    printf("%d %d\n", *(int *)address, *(int *)(address + sizeof(int)));
    printf("%d\n", (int)((address & 3) == 0));
    int **pp = &p, ***ppp = &pp;
    **pp = 77;
    printf("%d %d\n", ***ppp, values[4]);
    void *nothing = NULL;
    printf("%d %d\n", nothing == 0, !p);
    const void *tagged = (const void *)((uintptr_t)values | 1);
    printf("%d\n", *(int *)((uintptr_t)tagged & ~(uintptr_t)1));
    return 0;
}
