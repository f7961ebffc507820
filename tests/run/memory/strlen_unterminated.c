// run: --runs 1
// The array is full to its last byte, and so not a string.
#include <string.h>

int main(void) {
    char word[4] = {'w', 'o', 'r', 'd'};
    return strlen(word) != 4; //~ error[memory]
}
