// check: --io-errors
// A write is repeated until all is written, unless there is no space left.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int main(void) {
    int fd = open("copy", O_CREAT | O_RDWR, 0644);
    for (int done = 0; done < 2;) {
        long n = write(fd, &"ab"[done], (size_t)(2 - done));
        if (n < 0) {
            assert(errno == ENOSPC);
            return 1;
        }
        done += (int)n;
    }
    assert(lseek(fd, 0, SEEK_END) == 2);
    return close(fd);
}
