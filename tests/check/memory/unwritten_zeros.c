// check: --property assert
// What was filled with zeros in the first round holds any value in the second.
#include <assert.h>
#include <string.h>

int main(void) {
    for (int round = 0; round < 2; round++) {
        int numbers[5];
        if (round == 0)
            memset(numbers, 0, sizeof numbers);
        else
            assert(numbers[2] == 0); //~ error[assert]
    }
    return 0;
}
