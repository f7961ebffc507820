// check:
// A handler that changes errno without restoring it.
#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <unistd.h>

static void on_user(int signal) {
    (void)signal;
    close(-1);
}

int main(void) {
    signal(SIGUSR1, on_user);
    errno = 0;
    assert(errno == 0); //~ error[assert]
    return 0;
}
