// run: --runs 1 --stdin files/text.txt
// Standard input is what the user gives; a stream can be redirected.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    char word[16], line[64];
    assert(scanf("%15s", word) == 1);
    assert(getchar() == ' ');
    assert(ungetc('_', stdin) == '_');
    assert(fgets(line, sizeof line, stdin));
    printf("%s then %s", word, line);
    assert(read(0, line, 5) == 5);
    printf("%.5s\n", line);
    while (getchar() != EOF)
        ;
    assert(feof(stdin));
    assert(freopen("out", "w", stdout));
    printf("not seen\n");
    fprintf(stderr, "%ld bytes\n", ftell(stdout));
    return 0;
}
