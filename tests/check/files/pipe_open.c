// check: --engine explore
// The reader waits for the end of a pipe whose other end nobody closes.
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *reader(void *unused) {
    char c;
    (void)unused;
    while (read(ends[0], &c, 1) == 1) //~ error[deadlock]
        ;
    return NULL;
}

int main(void) {
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, reader, NULL);
    write(ends[1], "ab", 2);
    pthread_join(t, NULL);
    return 0;
}
