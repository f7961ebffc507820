// check: --file digits=files/digits.txt
// Two threads read from one description, which has one position: which thread gets which byte is open.
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;
static char first, second;

static void *reader(void *unused) {
    (void)unused;
    read(fd, &second, 1);
    return NULL;
}

int main(void) {
    pthread_t t;
    fd = open("digits", O_RDONLY);
    assert(fd == 3);
    pthread_create(&t, NULL, reader, NULL);
    read(fd, &first, 1);
    pthread_join(t, NULL);
    assert(first == '1' && second == '2'); //~ error[assert]
    return 0;
}
