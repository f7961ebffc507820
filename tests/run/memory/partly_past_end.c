// run: --runs 1
// A four-byte read whose last byte lies outside the object.
#include <stdint.h>
#include <string.h>

int main(void) {
    unsigned char packet[7] = {1, 2, 3, 4, 5, 6, 7};
    uint32_t word;
    memcpy(&word, packet + 3, sizeof word);
    memcpy(&word, packet + 4, sizeof word); //~ error[memory]
    return word == 0;
}
