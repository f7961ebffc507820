// run: --runs 1
// %n stores how much was written so far.
#include <assert.h>
#include <stdio.h>

int main(void) {
    int n = 0;
    long long wide = 0;
    printf("hello%n, %d%lln\n", &n, 42, &wide);
    assert(n == 5 && wide == 9);
    return 0;
}
