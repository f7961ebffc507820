// State machines: a C-comment stripper, a number scanner as a table, a traffic light with function pointers, a protothread.
#include <ctype.h>
#include <stdio.h>

static void strip(const char *in) {
    enum { CODE, SLASH, COMMENT, STAR, STRING } state = CODE;
    for (; *in; in++) {
        char c = *in;
        switch (state) {
        case CODE:
            if (c == '/')
                state = SLASH;
            else {
                if (c == '"')
                    state = STRING;
                putchar(c);
            }
            break;
        case SLASH:
            if (c == '*')
                state = COMMENT;
            else {
                putchar('/');
                putchar(c);
                state = CODE;
            }
            break;
        case COMMENT: state = c == '*' ? STAR : COMMENT; break;
        case STAR: state = c == '/' ? CODE : c == '*' ? STAR : COMMENT; break;
        case STRING:
            putchar(c);
            if (c == '"')
                state = CODE;
        }
    }
    putchar('\n');
}

enum class { DIGIT, SIGN, POINT, EXPONENT, OTHER };
static const signed char transitions[7][5] = {
    /* start    */ {2, 1, 3, -1, -1},
    /* sign     */ {2, -1, 3, -1, -1},
    /* whole    */ {2, -1, 4, 5, -1},
    /* point    */ {4, -1, -1, -1, -1},
    /* fraction */ {4, -1, -1, 5, -1},
    /* exponent */ {6, 6, -1, -1, -1},
    /* power    */ {6, -1, -1, -1, -1},
};

static int is_number(const char *text) {
    int state = 0;
    for (; *text && state >= 0; text++) {
        enum class c = isdigit((unsigned char)*text)       ? DIGIT
                       : *text == '+' || *text == '-' ? SIGN
                       : *text == '.'                 ? POINT
                       : *text == 'e' || *text == 'E' ? EXPONENT
                                                      : OTHER;
        state = transitions[state][c];
    }
    return state == 2 || state == 4 || state == 6;
}

struct light;
typedef void (*state)(struct light *);
struct light {
    state now;
    int ticks;
};
static void red(struct light *);
static void amber(struct light *l) { printf("amber "), l->now = red; }
static void green(struct light *l) {
    printf("green ");
    if (++l->ticks == 2)
        l->ticks = 0, l->now = amber;
}
static void red(struct light *l) { printf("red "), l->now = green; }

struct generator {
    int line, i, j;
};

static int resume(struct generator *g) {
    switch (g->line) {
    case 0:
        for (g->i = 0; g->i < 3; g->i++)
            for (g->j = 0; g->j <= g->i; g->j++) {
                g->line = 1;
                return g->i * 10 + g->j;
            case 1:;
            }
        g->line = 2;
    }
    return -1;
}

int main(void) {
    strip("a /* b */ c / d \"/* kept */\" /** e **/ f /x");
    const char *numbers[] = {"1", "-2.5", ".5", "+.5e-3", "1e", "e5", "1.2.3", "", "-", "12e+34", "3.", "0x1"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        printf("%s:%d ", numbers[i], is_number(numbers[i]));
    printf("\n");
    struct light light = {red, 0};
    for (int i = 0; i < 9; i++)
        light.now(&light);
    printf("\n");
    struct generator g = {0};
    for (int v; (v = resume(&g)) >= 0;)
        printf("%d ", v);
    printf("%d\n", resume(&g));
    return 0;
}
