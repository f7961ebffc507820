// check: --file digits=files/digits.txt
// Reads are atomic, but not what they do to the user's memory.
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

static int fd;
static char buffer[2];

static void *reader(void *unused) {
    (void)unused;
    read(fd, buffer, 2); //~ error[race]
    return NULL;
}

int main(void) {
    pthread_t t;
    fd = open("digits", O_RDONLY);
    pthread_create(&t, NULL, reader, NULL);
    read(fd, buffer, 2);
    pthread_join(t, NULL);
    return 0;
}
