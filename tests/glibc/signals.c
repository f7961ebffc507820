// What the functions of <signal.h> return, and what handlers see, one thread alone.
#include "calls.h"
#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

static volatile sig_atomic_t count, last, depth, deepest;

static void on_signal(int signal) {
    count++;
    last = signal;
    depth++;
    if (depth > deepest)
        deepest = depth;
    if (signal == SIGUSR2 && count < 20)
        raise(SIGUSR1);
    depth--;
}

static void on_information(int signal, siginfo_t *information, void *context) {
    (void)context;
    count++;
    last = information->si_signo == signal ? signal : -1;
}

static void sets(void) {
    static const int signals[] = {-1, 0, 1, 2, 9, 15, 19, 31, 32, 33, 34, 63, 64, 65, 1000};
    sigset_t set, other, both;
    INT(sigemptyset(&set));
    INT(sigfillset(&other));
    for (size_t i = 0; i < COUNT(signals); i++) {
        FAILS(sigismember(&set, signals[i]));
        FAILS(sigismember(&other, signals[i]));
        FAILS(sigaddset(&set, signals[i]));
        FAILS(sigismember(&set, signals[i]));
        FAILS(sigdelset(&other, signals[i]));
        FAILS(sigismember(&other, signals[i]));
    }
    INT(sigandset(&both, &set, &other));
    INT(sigisemptyset(&both));
    INT(sigorset(&both, &set, &other));
    INT(sigismember(&both, SIGINT));
    INT(sigisemptyset(&both));
    INT(SIGRTMIN);
    INT(SIGRTMAX);
}

static void actions(void) {
    static const int signals[] = {-1, 0, SIGKILL, SIGSTOP, 32, 33, 65};
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    for (size_t i = 0; i < COUNT(signals); i++) {
        FAILS(sigaction(signals[i], &action, 0));
        FAILS(sigaction(signals[i], 0, &before));
        FAILS(signal(signals[i], SIG_IGN) == SIG_ERR);
        FAILS(siginterrupt(signals[i], 1));
    }
    INT(sigaction(SIGUSR1, &action, &before));
    INT(before.sa_handler == SIG_DFL);
    INT(sigaction(SIGUSR1, 0, &before));
    INT(before.sa_handler == on_signal);
    INT(before.sa_flags & SA_RESTART);
    INT(signal(SIGUSR1, SIG_IGN) == on_signal);
    INT(raise(SIGUSR1));
    INT(count);
    INT(signal(SIGUSR1, on_signal) == SIG_IGN);
    INT(sigaction(SIGUSR1, 0, &before));
    INT((before.sa_flags & SA_RESTART) != 0);
    INT(siginterrupt(SIGUSR1, 1));
    INT(sigaction(SIGUSR1, 0, &before));
    INT((before.sa_flags & SA_RESTART) != 0);
    INT(sigaction(SIGTERM, 0, &before));
    INT(before.sa_handler == SIG_DFL);
}

static void sending(void) {
    INT(raise(SIGUSR1));
    INT(count);
    INT(last);
    FAILS(raise(0) == 0 || raise(65) == -1);
    FAILS(raise(65));
    INT(kill(getpid(), SIGUSR1));
    INT(count);
    INT(kill(getpid(), 0));
    FAILS(kill(getpid(), 65));
    FAILS(kill(getpid(), -1));
    INT(pthread_kill(pthread_self(), SIGUSR1));
    INT(count);
    INT(pthread_kill(pthread_self(), 0));
    INT(pthread_kill(pthread_self(), 65));
    INT(pthread_kill(pthread_self(), -1));
    INT(raise(SIGCHLD));
    INT(raise(SIGURG));
    INT(raise(SIGWINCH));
    INT(raise(SIGCONT));
    INT(signal(SIGUSR2, on_signal) == SIG_DFL);
    INT(raise(SIGUSR2));
    INT(count);
    INT(last);
    INT(deepest);
}

static void masks(void) {
    sigset_t set, before, pending;
    int taken = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGKILL);
    INT(pthread_sigmask(SIG_BLOCK, &set, &before));
    INT(sigismember(&before, SIGUSR1));
    INT(sigprocmask(SIG_BLOCK, 0, &before));
    INT(sigismember(&before, SIGUSR1));
    INT(sigismember(&before, SIGKILL));
    INT(pthread_sigmask(77, &set, 0));
    FAILS(sigprocmask(77, &set, 0));
    FAILS(sigprocmask(77, 0, 0));
    count = 0;
    raise(SIGUSR1);
    raise(SIGUSR1);
    INT(count);
    INT(sigpending(&pending));
    INT(sigismember(&pending, SIGUSR1));
    INT(sigismember(&pending, SIGUSR2));
    INT(sigwait(&set, &taken));
    INT(taken);
    INT(sigpending(&pending));
    INT(sigismember(&pending, SIGUSR1));
    kill(getpid(), SIGUSR1);
    INT(sigpending(&pending));
    INT(sigismember(&pending, SIGUSR1));
    INT(sigwaitinfo(&set, 0));
    static const struct timespec soon = {0, 1}, wrong = {0, 1000000000};
    FAILS(sigtimedwait(&set, 0, &soon));
    FAILS(sigtimedwait(&set, 0, &wrong));
    raise(SIGUSR1);
    FAILS(sigtimedwait(&set, 0, &soon));
    raise(SIGUSR1);
    INT(sigprocmask(SIG_UNBLOCK, &set, &before));
    INT(sigismember(&before, SIGUSR1));
    INT(count);
    raise(SIGUSR1);
    INT(count);
}

static void flags(void) {
    struct sigaction action, before;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = on_information;
    action.sa_flags = SA_SIGINFO | SA_RESETHAND;
    INT(sigaction(SIGUSR1, &action, 0));
    count = 0;
    raise(SIGUSR1);
    INT(count);
    INT(last);
    INT(sigaction(SIGUSR1, 0, &before));
    INT(before.sa_handler == SIG_DFL);
    // Blocked in the handler, and handled when that returns.
    memset(&action, 0, sizeof action);
    action.sa_handler = on_signal;
    sigaddset(&action.sa_mask, SIGUSR1);
    sigaction(SIGUSR1, &action, 0);
    sigaction(SIGUSR2, &action, 0);
    count = 0;
    deepest = 0;
    raise(SIGUSR2);
    INT(count);
    INT(last);
    INT(deepest);
}

static void timers(void) {
    struct itimerval timer = {{0, 0}, {0, 0}}, before;
    INT(alarm(0));
    FAILS(setitimer(7, &timer, 0));
    INT(setitimer(ITIMER_REAL, &timer, &before));
    INT(before.it_value.tv_sec);
}

static void texts(void) {
    static const int signals[] = {1, 2, 6, 9, 11, 15, 17, 31, 34, 40, 64};
    for (size_t i = 0; i < COUNT(signals); i++)
        TEXT(strsignal(signals[i]));
}

int main(void) {
    sets();
    actions();
    sending();
    masks();
    flags();
    timers();
    texts();
    return 0;
}
