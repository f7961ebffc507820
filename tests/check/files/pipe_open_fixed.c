// check: --engine explore
// What goes into a pipe comes out in order, until its end.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];
static int before = 1; // what is written before the pipe is ordered before what is read from it

static void *reader(void *unused) {
    char c = 0;
    (void)unused;
    assert(read(ends[0], &c, 1) == 1 && c == 'a');
    before++;
    assert(read(ends[0], &c, 1) == 1 && c == 'b');
    assert(read(ends[0], &c, 1) == 0);
    return NULL;
}

int main(void) {
    pthread_t t;
    pipe(ends);
    pthread_create(&t, NULL, reader, NULL);
    before++;
    write(ends[1], "ab", 2);
    close(ends[1]);
    pthread_join(t, NULL);
    assert(before == 3);
    return 0;
}
