// Global data of all kinds: zero, initialised, const, arrays of structs with pointers to each other, strings and functions.
#include <stdio.h>
#include <string.h>

int zero, one = 1, array[5], filled[5] = {1, 2, 3};
const int constant = 99;
const char *text = "pointer", *const fixed = "fixed", characters[] = "array";
double real = 0.1;
float reals[] = {0.5f, -1.25f, 3e38f};
long long wide = -0x123456789abcdefLL;
_Bool truth = 1;
static struct employee {
    const char *name;
    struct employee *boss;
    int salary;
    int (*raise)(struct employee *, int);
    char initials[3];
} staff[3];

static int by_amount(struct employee *e, int x) { return e->salary += x; }
static int by_percent(struct employee *e, int x) { return e->salary += e->salary * x / 100; }

static struct employee staff[3] = {
    {"Ann", NULL, 900, by_percent, "AA"},
    {"Ben", &staff[0], 500, by_amount, "BB"},
    {"Cat", &staff[1], 400, by_amount, "CC"},
};
static struct employee *const boss_of_boss = &staff[0];
static char *inside = &staff[2].initials[1];
static int *last = &filled[4], **to_last = &last;
static const char *const *names[] = {(const char *const[]){"x", "y"}, (const char *const[]){"z"}};

int main(void) {
    printf("%d %d %d %d %d %d\n", zero, one, array[4], filled[2], filled[3], constant);
    printf("%s %s %s %d\n", text, fixed, characters, (int)sizeof characters);
    printf("%g %g %g %g %lld %d\n", real, reals[0], reals[1], reals[2], wide, truth);
    for (struct employee *e = &staff[2]; e; e = e->boss)
        printf("%s %d %s\n", e->name, e->raise(e, 10), e->initials);
    printf("%s %c\n", boss_of_boss->name, *inside);
    **to_last = 7;
    printf("%d %s %s\n", filled[4], names[0][1], names[1][0]);
    text = characters + 2;
    characters[0] == 'a' ? array[0]++ : 0;
    printf("%s %d\n", text, array[0]);
    struct employee copy = staff[1];
    copy.name = "Copy";
    strcpy(copy.initials, "ZZ");
    printf("%s %s %s\n", staff[1].name, staff[1].initials, copy.boss->name);
    return 0;
}
