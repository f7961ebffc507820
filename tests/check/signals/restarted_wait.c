// check:
// With SA_RESTART it goes on waiting.
#include <assert.h>
#include <semaphore.h>
#include <signal.h>

static sem_t done;

static void on_terminate(int signal) {
    (void)signal;
    sem_post(&done);
}

int main(void) {
    struct sigaction action = {0};
    sem_init(&done, 0, 0);
    action.sa_handler = on_terminate;
    action.sa_flags = SA_RESTART;
    sigaction(SIGTERM, &action, 0);
    int error = sem_wait(&done);
    assert(error == 0);
    return 0;
}
