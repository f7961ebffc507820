// run: --runs 1
// The text of a number fills its array, so strtod reads on past the end.
#include <stdlib.h>

int main(void) {
    char digits[2] = {'1', '2'};
    double x = strtod(digits, NULL); //~ error[memory]
    return x < 1;
}
