// run: --runs 1
// A write to a pipe that nobody reads.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int ends[2];
    pipe(ends);
    close(ends[0]);
    signal(SIGPIPE, SIG_IGN);
    assert(write(ends[1], "x", 1) == -1 && errno == EPIPE);
    puts("ignored");
    signal(SIGPIPE, SIG_DFL);
    write(ends[1], "x", 1);
    puts("not reached");
    return 0;
}
