// getopt and getopt_long: what each call returns, the state after it, and the order of the arguments at the end.
#include "calls.h"
#include <getopt.h>

static int flag, value;
static const struct option names[] = {
    { "all", no_argument, NULL, 'a' },      { "colour", optional_argument, NULL, 'c' }, { "file", required_argument, NULL, 'f' },
    { "filter", required_argument, NULL, 'g' }, { "verbose", no_argument, &flag, 7 },     { "value", required_argument, &value, 9 },
    { "verbatim", no_argument, &flag, 7 },  { NULL, 0, NULL, 0 },
};

enum kind { SHORT, LONG, ONLY };

static void show(enum kind kind, const char *letters, const char *line) {
    char text[200], *argv[20] = { text };
    int argc = 1, result, index;
    strcpy(text, "program");
    char *at = text + 8;
    for (const char *word = line; *word; argc++) {
        size_t n = strcspn(word, " ");
        argv[argc] = at;
        memcpy(at, word, n);
        at[n] = 0;
        at += n + 1;
        word += n + (word[n] == ' ');
    }
    argv[argc] = NULL;
    optind = 0;
    flag = value = 0;
    do {
        index = -5;
        result = kind == SHORT  ? getopt(argc, argv, letters)
                 : kind == LONG ? getopt_long(argc, argv, letters, names, &index)
                                : getopt_long_only(argc, argv, letters, names, &index);
        printf("call %d %s of %s = %d, optind %d, optopt %d, optarg %s, index %d, flag %d\n", kind, letters, line, result, optind,
               optopt, optarg ? optarg : "null", index, flag);
    } while (result != -1);
    for (int i = optind; i < argc; i++)
        printf("call rest %s\n", argv[i]);
    for (int i = 0; i < argc; i++)
        printf("%s ", argv[i]);
    printf("\n");
}

int main(void) {
    INT(optind); INT(opterr); INT(optopt); TEXT(optarg);
    opterr = 0;
    show(SHORT, "ab:c::", "-a -b x -c -cy z");
    show(SHORT, "ab:c::", "one -a two -b three four -c five");
    show(SHORT, "ab:c::", "-ab");
    show(SHORT, ":ab:c::", "-ab");
    show(SHORT, "ab:c::", "-abx y -- -a z");
    show(SHORT, "ab:c::", "y -- -a z");
    show(SHORT, "ab:c::", "-x -a - -y: -:");
    show(SHORT, "+ab:c::", "-a one -b x");
    show(SHORT, "-ab:c::", "-a one -b x two");
    show(SHORT, "", "");
    show(LONG, "ab:", "--all --file=x --file y --colour --colour=z rest");
    show(LONG, "ab:", "one --verbose two -a three --value=4 --verb");
    show(LONG, "ab:", "--fil=x --fi x --filt x --file");
    show(LONG, ":ab:", "--file");
    show(LONG, "ab:", "--unknown --all=x --al -x one -- --all");
    show(LONG, "ab:W;", "-W all -Wfile=x -W");
    show(ONLY, "ab:", "-all -file x -a -bx -ab -q --colour=1 -v");
    setenv("POSIXLY_CORRECT", "1", 1);
    show(SHORT, "ab:", "-a one -b two");
    // Messages go to standard error.
    opterr = 1;
    show(SHORT, "ab:", "-x -b");
    show(LONG, "ab:", "--fi --nothing --all=1 --file");
    return 0;
}
