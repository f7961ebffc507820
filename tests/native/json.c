// A recursive-descent parser for a JSON-like language that builds a tree, prints it again and sums its numbers.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    enum { NIL, BOOLEAN, NUMBER, STRING, LIST, OBJECT } kind;
    union {
        int boolean;
        double number;
        char *string;
    };
    struct value *first, *next;
    char *key;
};

static const char *at;
static int failed;

static void blank(void) {
    while (isspace((unsigned char)*at))
        at++;
}

static char *quoted(void) {
    const char *start = ++at;
    while (*at && *at != '"')
        at += *at == '\\' && at[1] ? 2 : 1;
    char *text = malloc((size_t)(at - start) + 1), *out = text;
    for (const char *p = start; p < at; p++)
        *out++ = *p == '\\' ? (*++p == 'n' ? '\n' : *p) : *p;
    *out = 0;
    if (*at)
        at++;
    else
        failed = 1;
    return text;
}

static struct value *parse(void);

static void members(struct value *v, char close) {
    struct value **tail = &v->first;
    at++;
    for (blank(); *at && *at != close && !failed; blank()) {
        char *key = NULL;
        if (v->kind == OBJECT) {
            if (*at != '"') {
                failed = 1;
                return;
            }
            key = quoted();
            blank();
            if (*at != ':')
                failed = 1;
            else
                at++;
        }
        *tail = parse();
        (*tail)->key = key;
        tail = &(*tail)->next;
        blank();
        if (*at == ',')
            at++;
    }
    if (*at == close)
        at++;
    else
        failed = 1;
}

static struct value *parse(void) {
    struct value *v = calloc(1, sizeof *v);
    blank();
    if (*at == '{' || *at == '[') {
        v->kind = *at == '{' ? OBJECT : LIST;
        members(v, *at == '{' ? '}' : ']');
    } else if (*at == '"') {
        v->kind = STRING;
        v->string = quoted();
    } else if (isdigit((unsigned char)*at) || *at == '-') {
        char *end;
        v->kind = NUMBER;
        v->number = strtod(at, &end);
        at = end;
    } else if (!strncmp(at, "true", 4) || !strncmp(at, "false", 5)) {
        v->kind = BOOLEAN;
        v->boolean = *at == 't';
        at += v->boolean ? 4 : 5;
    } else if (!strncmp(at, "null", 4)) {
        at += 4;
    } else {
        failed = 1;
    }
    return v;
}

static void show(const struct value *v) {
    if (v->key)
        printf("\"%s\":", v->key);
    switch (v->kind) {
    case NIL: printf("null"); break;
    case BOOLEAN: printf(v->boolean ? "true" : "false"); break;
    case NUMBER: printf("%.10g", v->number); break;
    case STRING: printf("\"%s\"", v->string); break;
    case LIST:
    case OBJECT:
        putchar(v->kind == LIST ? '[' : '{');
        for (const struct value *c = v->first; c; c = c->next) {
            show(c);
            if (c->next)
                putchar(',');
        }
        putchar(v->kind == LIST ? ']' : '}');
    }
}

static double sum(const struct value *v) {
    double total = v->kind == NUMBER ? v->number : 0;
    for (const struct value *c = v->first; c; c = c->next)
        total += sum(c);
    return total;
}

static void release(struct value *v) {
    while (v) {
        struct value *next = v->next;
        release(v->first);
        if (v->kind == STRING)
            free(v->string);
        free(v->key);
        free(v);
        v = next;
    }
}

int main(void) {
    const char *texts[] = {
        "{ \"name\" : \"lock\", \"sizes\": [1, 2.5, -3e2, 0.125], \"nested\": {\"a\": null, \"b\": [true, false, []]}, \"e\":{}}",
        "[[[[1],2],3],4]",
        "\"with \\\"quotes\\\" and \\n a line\"",
        "  42  ",
        "[1, 2",
        "{\"a\" 1}",
        "{a:1}",
        "@",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        at = texts[i];
        failed = 0;
        struct value *v = parse();
        blank();
        if (failed || *at)
            printf("error at %d", (int)(at - texts[i]));
        else
            show(v), printf(" = %g", sum(v));
        printf("\n");
        release(v);
    }
    return 0;
}
