// switch with fall-through, ranges and defaults in the middle, goto, Duff's device, nested loops, comma and ternary.
#include <stdio.h>

static const char *classify(int c) {
    switch (c) {
    default:
        return "other";
    case '0' ... '9':
        return "digit";
    case 'a':
    case 'e':
    case 'i':
    case 'o':
    case 'u':
        return "vowel";
    case ' ':
        break;
    case -1:
        return "end";
    }
    return "blank";
}

static int fall(int n) {
    int r = 0;
    switch (n) {
    case 3:
        r += 100;
        /* fall through */
    case 2:
        r += 10;
        break;
    case 1:
        r += 1;
        /* fall through */
    default:
        r += 1000;
    }
    return r;
}

static void duff(char *to, const char *from, int count) {
    int n = (count + 3) / 4;
    switch (count % 4) {
    case 0:
        do {
            *to++ = *from++;
            /* fall through */
        case 3:
            *to++ = *from++;
            /* fall through */
        case 2:
            *to++ = *from++;
            /* fall through */
        case 1:
            *to++ = *from++;
        } while (--n > 0);
    }
}

static int machine(const char *input) {
    int count = 0;
start:
    switch (*input++) {
    case 'a':
        goto in_a;
    case 0:
        return count;
    default:
        goto start;
    }
in_a:
    if (*input == 'b') {
        count++;
        input++;
        goto in_a;
    }
    goto start;
}

static int wide(unsigned long long x) {
    switch (x) {
    case 0x100000000ull:
        return 1;
    case 0xffffffffffffffffull:
        return 2;
    case 0:
        return 3;
    }
    return 4;
}

int main(void) {
    printf("%s %s %s %s %s\n", classify('7'), classify('e'), classify(' '), classify('z'), classify(-1));
    for (int i = 0; i < 5; i++)
        printf("%d ", fall(i));
    printf("\n");
    for (int n = 1; n <= 9; n++) {
        char buffer[10] = "---------";
        duff(buffer, "abcdefghi", n);
        printf("%s ", buffer);
    }
    printf("\n%d\n", machine("xabbbyabzab"));
    printf("%d %d %d %d\n", wide(0x100000000ull), wide(~0ull), wide(0), wide(1));
    for (int i = 2; i < 30; i++) {
        for (int j = 2; j * j <= i; j++)
            if (i % j == 0)
                goto composite;
        printf("%d ", i);
    composite:;
    }
    printf("\n");
    int i = 0, j = 10;
    do {
        if (i == 3)
            continue;
        if (j == 2)
            break;
        printf("%d,%d ", i, j);
    } while (i++, --j > 0);
    printf("\n");
    for (;;) {
        if (i++ > 10)
            break;
        else
            while (1)
                if (j++ > 5)
                    break;
    }
    printf("%d %d\n", i, j);
    int k = (i > 5 ? j > 5 ? 1 : 2 : 3) + (i && 0 || j);
    printf("%d %d\n", k, (1, 2, 3));
    int evaluated = 0;
    (void)(0 && (evaluated = 1));
    (void)(1 || (evaluated = 2));
    printf("%d\n", evaluated);
    return 0;
}
