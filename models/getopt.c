/* <getopt.h>: the options of a program, with the state that programs can see and the order in which the C library leaves
 * arguments. Like the C library's, these functions are for one thread. */
#include "internal.h"

int dprintf(int fd, const char *format, ...);
char *getenv(const char *name);
int strcmp(const char *a, const char *b);
int strncmp(const char *a, const char *b, size_t n);

char *optarg;
int optind = 1, opterr = 1, optopt = '?';

struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};

/* What happens at an argument that is no option: it moves to the end, ends the options, or is returned like one. */
enum ordering { PERMUTE, STOP, RETURN };

static enum ordering ordering;
static _Bool begun;
/* What optopt will be after the call; it begins as 0. */
static int wrong;
/* The rest of an argument with several options. */
static char *rest;
/* Arguments that are no options and were gone past: from the first to before the last. */
static int first, last;

/* One call: what it was given. */
struct request {
    int argc;
    char **argv;
    const char *letters;
    const struct option *options;
    int *index;
    _Bool only_long, tells;
};

static const char *find(const char *letters, char c)
{
    for (; *letters; letters++)
        if (*letters == c)
            return letters;
    return 0;
}

static _Bool is_option(const char *argument)
{
    return argument[0] == '-' && argument[1] != 0;
}

static void reverse(char **argv, int from, int to)
{
    while (from < --to) {
        char *other = argv[from];
        argv[from++] = argv[to];
        argv[to] = other;
    }
}

/* The options from `last` to before `optind` come in front of the other arguments; both keep their order. */
static void exchange(char **argv)
{
    reverse(argv, first, last);
    reverse(argv, last, optind);
    reverse(argv, first, optind);
    first += optind - last;
    last = optind;
}

static _Bool differ(const struct option *a, const struct option *b)
{
    return a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static int unknown(int code)
{
    rest = 0;
    optind++;
    wrong = 0;
    return code;
}

/* The option whose name is, or begins with, the n characters of `rest`; its number in *index, -2 there if several do. */
static const struct option *named(const struct request *r, size_t n, int *index)
{
    const struct option *found = 0;
    *index = -1;
    for (int i = 0; r->options[i].name; i++)
        if (!strncmp(r->options[i].name, rest, n) && __tpm_strlen(r->options[i].name) == n) {
            *index = i;
            return &r->options[i];
        }
    for (int i = 0; r->options[i].name; i++) {
        if (strncmp(r->options[i].name, rest, n))
            continue;
        if (!found) {
            found = &r->options[i];
            *index = i;
        } else if (r->only_long || differ(found, &r->options[i])) {
            *index = -2;
        }
    }
    return found;
}

static void tell_possible(const struct request *r, const struct option *found, size_t n, const char *prefix)
{
    dprintf(2, "%s: option '%s%s' is ambiguous; possibilities:", r->argv[0], prefix, rest);
    for (int i = 0; r->options[i].name; i++)
        if (!strncmp(r->options[i].name, rest, n)
            && (&r->options[i] == found || r->only_long || differ(found, &r->options[i])))
            dprintf(2, " '%s%s'", prefix, r->options[i].name);
    dprintf(2, "\n");
}

/* An option with a name, which is in `rest`; -1 if it may be letters. */
static int long_option(const struct request *r, const char *prefix)
{
    size_t n = 0;
    while (rest[n] && rest[n] != '=')
        n++;
    int index;
    const struct option *found = named(r, n, &index);
    if (index == -2) {
        if (r->tells)
            tell_possible(r, found, n, prefix);
        return unknown('?');
    }
    if (!found) {
        if (r->only_long && r->argv[optind][1] != '-' && find(r->letters, *rest))
            return -1;
        if (r->tells)
            dprintf(2, "%s: unrecognized option '%s%s'\n", r->argv[0], prefix, rest);
        return unknown('?');
    }
    char *value = rest[n] ? rest + n + 1 : 0;
    rest = 0;
    optind++;
    if (value && !found->has_arg) {
        if (r->tells)
            dprintf(2, "%s: option '%s%s' doesn't allow an argument\n", r->argv[0], prefix, found->name);
        wrong = found->val;
        return '?';
    }
    if (value) {
        optarg = value;
    } else if (found->has_arg == 1 && optind < r->argc) {
        optarg = r->argv[optind++];
    } else if (found->has_arg == 1) {
        if (r->tells)
            dprintf(2, "%s: option '%s%s' requires an argument\n", r->argv[0], prefix, found->name);
        wrong = found->val;
        return r->letters[0] == ':' ? ':' : '?';
    }
    if (r->index)
        *r->index = index;
    if (found->flag) {
        *found->flag = found->val;
        return 0;
    }
    return found->val;
}

static int without_argument(const struct request *r, char c)
{
    if (r->tells)
        dprintf(2, "%s: option requires an argument -- '%c'\n", r->argv[0], c);
    wrong = c;
    return r->letters[0] == ':' ? ':' : '?';
}

/* `-W name` is `--name`, if the letters say so. */
static int option_after_w(const struct request *r)
{
    if (!*rest) {
        if (optind == r->argc)
            return without_argument(r, 'W');
        rest = r->argv[optind];
    }
    struct request exact = *r;
    exact.only_long = 0;
    return long_option(&exact, "-W ");
}

/* The next letter of `rest`. */
static int letter(const struct request *r)
{
    char c = *rest++;
    const char *known = find(r->letters, c);
    if (!*rest)
        optind++;
    if (!known || c == ':' || c == ';') {
        if (r->tells)
            dprintf(2, "%s: invalid option -- '%c'\n", r->argv[0], c);
        wrong = c;
        return '?';
    }
    if (known[0] == 'W' && known[1] == ';' && r->options)
        return option_after_w(r);
    if (known[1] != ':')
        return c;
    int result = c;
    if (*rest) {
        optarg = rest;
        optind++;
    } else if (known[2] != ':') {
        if (optind == r->argc)
            result = without_argument(r, c);
        else
            optarg = r->argv[optind++];
    }
    rest = 0;
    return result;
}

static void begin(const char *letters, _Bool posix)
{
    if (optind == 0)
        optind = 1;
    first = last = optind;
    rest = 0;
    if (letters[0] == '-')
        ordering = RETURN;
    else if (letters[0] == '+' || posix || getenv("POSIXLY_CORRECT"))
        ordering = STOP;
    else
        ordering = PERMUTE;
    begun = 1;
}

/* Goes past arguments that are no options; returns 0 if there is an option at optind, else the result of the call. */
static int next_argument(const struct request *r)
{
    if (last > optind)
        last = optind;
    if (first > optind)
        first = optind;
    if (ordering == PERMUTE) {
        if (first != last && last != optind)
            exchange(r->argv);
        else if (last != optind)
            first = optind;
        while (optind < r->argc && !is_option(r->argv[optind]))
            optind++;
        last = optind;
    }
    if (optind != r->argc && !strcmp(r->argv[optind], "--")) {
        optind++;
        if (first != last && last != optind)
            exchange(r->argv);
        else if (first == last)
            first = optind;
        last = optind = r->argc;
    }
    if (optind == r->argc) {
        if (first != last)
            optind = first;
        return -1;
    }
    if (is_option(r->argv[optind]))
        return 0;
    if (ordering == STOP)
        return -1;
    optarg = r->argv[optind++];
    return 1;
}

static int next_option(struct request *r, _Bool posix)
{
    optarg = 0;
    if (optind == 0 || !begun)
        begin(r->letters, posix);
    if (r->letters[0] == '-' || r->letters[0] == '+')
        r->letters++;
    r->tells = opterr && r->letters[0] != ':';
    if (!rest || !*rest) {
        int result = next_argument(r);
        if (result)
            return result;
        char *argument = r->argv[optind];
        if (r->options && argument[1] == '-') {
            rest = argument + 2;
            return long_option(r, "--");
        }
        rest = argument + 1;
        if (r->options && r->only_long && (argument[2] || !find(r->letters, argument[1]))) {
            int code = long_option(r, "-");
            if (code != -1)
                return code;
        }
    }
    return letter(r);
}

static int call(struct request r, _Bool posix)
{
    int result = -1;
    if (r.argc >= 1)
        result = next_option(&r, posix);
    optopt = wrong;
    return result;
}

/* POSIX getopt, with the C library's order of arguments. */
int getopt(int argc, char *const argv[], const char *letters)
{
    struct request r = { argc, (char **)argv, letters, 0, 0, 0, 0 };
    return call(r, 0);
}

/* The same under POSIXLY_CORRECT: the first argument that is no option ends them. */
int __posix_getopt(int argc, char *const argv[], const char *letters)
{
    struct request r = { argc, (char **)argv, letters, 0, 0, 0, 0 };
    return call(r, 1);
}

/* The C library's getopt_long: options with names, which may be abbreviated. */
int getopt_long(int argc, char *const argv[], const char *letters, const struct option *options, int *index)
{
    struct request r = { argc, (char **)argv, letters, options, index, 0, 0 };
    return call(r, 0);
}

/* The C library's getopt_long_only: names may follow a single dash. */
int getopt_long_only(int argc, char *const argv[], const char *letters, const struct option *options, int *index)
{
    struct request r = { argc, (char **)argv, letters, options, index, 1, 0 };
    return call(r, 0);
}
