// check: --file digits=files/digits.txt
// More is read than the buffer holds.
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    char buffer[3];
    int fd = open("digits", O_RDONLY);
    return read(fd, buffer, 4) != 4; //~ error[memory]
}
