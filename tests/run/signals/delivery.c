// run: --runs 20 --seed 1
// raise, kill and pthread_kill; masks; what is pending; actions and their flags.
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static volatile sig_atomic_t count, inner, last;

static void on_user(int signal) {
    count++;
    last = signal;
}

static void on_other(int signal, siginfo_t *information, void *context) {
    (void)context;
    assert(information->si_signo == signal);
    inner = count;
    raise(SIGUSR1);
    inner = count - inner;
}

static void *worker(void *argument) {
    pthread_kill(pthread_self(), SIGUSR1);
    assert(last == SIGUSR1);
    return argument;
}

int main(void) {
    struct sigaction action = {0}, before;
    action.sa_handler = on_user;
    sigaction(SIGUSR1, &action, &before);
    assert(before.sa_handler == SIG_DFL);
    raise(SIGUSR1);
    assert(count == 1 && last == SIGUSR1);
    kill(getpid(), SIGUSR1);
    assert(count == 2);

    sigset_t users, pending;
    sigemptyset(&users);
    sigaddset(&users, SIGUSR1);
    sigprocmask(SIG_BLOCK, &users, 0);
    raise(SIGUSR1);
    raise(SIGUSR1);
    assert(count == 2);
    sigpending(&pending);
    assert(sigismember(&pending, SIGUSR1) && !sigismember(&pending, SIGUSR2));
    sigprocmask(SIG_UNBLOCK, &users, 0);
    assert(count == 3);

    action.sa_sigaction = on_other;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    action.sa_mask = users;
    sigaction(SIGUSR2, &action, 0);
    raise(SIGUSR2);
    assert(inner == 0 && count == 4);
    sigaction(SIGUSR2, 0, &before);
    assert(before.sa_handler == SIG_DFL);

    last = 0;
    pthread_t thread;
    pthread_create(&thread, 0, worker, 0);
    pthread_join(thread, 0);
    signal(SIGUSR1, SIG_IGN);
    raise(SIGUSR1);
    puts("done");
    return 0;
}
