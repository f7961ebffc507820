// check: --property assert
// What is filled with zeros in each round holds them.
#include <assert.h>
#include <string.h>

int main(void) {
    for (int round = 0; round < 2; round++) {
        int numbers[5];
        memset(numbers, 0, sizeof numbers);
        assert(numbers[2] == 0);
    }
    return 0;
}
