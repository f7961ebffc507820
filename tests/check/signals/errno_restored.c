// check:
// A handler that restores errno.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static void on_user(int signal) {
    (void)signal;
    int before = errno;
    close(-1);
    errno = before;
}

int main(void) {
    signal(SIGUSR1, on_user);
    errno = 0;
    assert(errno == 0);
    return 0;
}
