// check: --io-errors
// A write may write less than it is asked to, or fail.
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int fd = open("copy", O_CREAT | O_RDWR, 0644);
    if (write(fd, "ab", 2) < 0)
        return 1;
    assert(lseek(fd, 0, SEEK_END) == 2); //~ error[assert]
    return close(fd);
}
