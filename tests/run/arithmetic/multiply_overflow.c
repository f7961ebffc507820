// run: --runs 1
// A product of two ints that only a wider type can hold.
#include <stdint.h>

int main(void) {
    int32_t width = 65536, height = 65536;
    int32_t area = width * height; //~ error[overflow]
    return area != 0;
}
