// run: --runs 1
// Unsigned arithmetic wraps; that is no overflow (C11 6.2.5).
#include <stdint.h>

int main(void) {
    uint32_t width = 65536, height = 65536;
    uint32_t area = width * height;
    return area != 0;
}
