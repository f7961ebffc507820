// run: --runs 1
// The array has room for the terminating zero.
#include <string.h>

int main(void) {
    char word[5] = {'w', 'o', 'r', 'd'};
    return strlen(word) != 4;
}
