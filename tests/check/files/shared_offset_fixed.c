// check: --file digits=files/digits.txt
// Each thread reads from a place of its own; names that nobody gave are not there.
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;
static char first, second;

static void *reader(void *unused) {
    (void)unused;
    pread(fd, &second, 1, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    assert(open("letters", O_RDONLY) == -1 && errno == ENOENT);
    fd = open("digits", O_RDONLY);
    pthread_create(&t, NULL, reader, NULL);
    pread(fd, &first, 1, 0);
    pthread_join(t, NULL);
    assert(first == '1' && second == '2');
    assert(close(fd) == 0 && close(fd) == -1 && errno == EBADF);
    return 0;
}
