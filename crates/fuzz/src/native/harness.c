/* Runs a random program many times, each time in a process of its own with another seed, and says how each run ended.

   The program's main is renamed to `program_main`. `stress()` between its statements sometimes yields, sleeps or spins
   a little. Some runs have one processor, where threads switch only when they wait, yield or are preempted.

   usage: harness RUNS SEED MILLISECONDS
   A line for each run: how it ended, `|`, the inputs it was given, `|`, what it printed. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

int program_main(void);

enum { ASSUMED = 77, REACHED = 78, SANITIZED = 66, MOST_INPUTS = 64 };

/* The inputs of a run, in shared memory: its process has ended when they are printed. */
struct inputs {
    unsigned count;
    struct {
        const char *name;
        unsigned value;
    } given[MOST_INPUTS];
};
static struct inputs *inputs;
static unsigned long seed;

static unsigned long mixed(unsigned long z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* ── what the program calls ─────────────────────────────────────────────────────────────────────────────────────── */

static unsigned input(const char *name, unsigned below)
{
    unsigned at = __atomic_fetch_add(&inputs->count, 1, __ATOMIC_RELAXED);
    unsigned value = mixed(seed ^ at << 8) % below;
    if (at >= MOST_INPUTS)
        _exit(ASSUMED);
    __atomic_store_n(&inputs->given[at].value, value, __ATOMIC_RELAXED);
    __atomic_store_n(&inputs->given[at].name, name, __ATOMIC_RELAXED);
    return value;
}

_Bool __VERIFIER_nondet_bool(void) { return input("__VERIFIER_nondet_bool", 2); }
int __VERIFIER_nondet_int(void) { return input("__VERIFIER_nondet_int", 4); }
unsigned __VERIFIER_nondet_uint(void) { return input("__VERIFIER_nondet_uint", 4); }
unsigned char __VERIFIER_nondet_uchar(void) { return input("__VERIFIER_nondet_uchar", 4); }

void __VERIFIER_assume(int condition)
{
    if (!condition)
        _exit(ASSUMED);
}

void reach_error(void) { _exit(REACHED); }

static unsigned threads;
static _Thread_local unsigned long state;

void stress(void)
{
    if (!state)
        state = mixed(seed ^ (unsigned long)__atomic_add_fetch(&threads, 1, __ATOMIC_RELAXED) << 32) | 1;
    state = mixed(state);
    switch (state >> 8 & 15) {
    case 0: case 1: case 2: sched_yield(); break;
    case 3: for (volatile int i = 0; i < (int)(state & 255); i++); break;
    case 4:
        if ((state & 7) == 0)
            usleep(state >> 16 & 63);
    }
}

/* ── the runs ───────────────────────────────────────────────────────────────────────────────────────────────────── */

static void child(int out)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    if (seed % 3 == 0)
        sched_setaffinity(0, sizeof one, &one);
    dup2(out, 1);
    int quiet = memfd_create("messages", 0);
    if (quiet >= 0)
        dup2(quiet, 2);
    exit(program_main());
}

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Reads what the process prints until it ends: the length, or -1 when that takes too long. */
static long printed(int from, char *text, size_t room, long until)
{
    size_t length = 0;
    for (;;) {
        struct pollfd wait = {from, POLLIN, 0};
        long left = until - now();
        int ready = poll(&wait, 1, left > 0 ? (int)left : 0);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0)
            return -1;
        ssize_t more = read(from, text + length, room - length);
        if (more <= 0)
            return (long)length;
        length += (size_t)more;
    }
}

static void end_in_words(int status, char *words)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT)
        strcpy(words, "failed");
    else if (WIFSIGNALED(status))
        sprintf(words, "signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) == REACHED)
        strcpy(words, "failed");
    else if (WEXITSTATUS(status) == ASSUMED)
        strcpy(words, "assumed");
    else if (WEXITSTATUS(status) == SANITIZED)
        strcpy(words, "sanitized");
    else if (WEXITSTATUS(status))
        sprintf(words, "status %d", WEXITSTATUS(status));
    else
        strcpy(words, "ended");
}

/* Runs the program once; 0: no further run is worthwhile. */
static int run(long patience)
{
    static char text[1 << 16];
    char words[32] = "hung";
    int ends[2], status;
    memset(inputs, 0, sizeof *inputs);
    if (pipe(ends))
        return 0;
    pid_t pid = fork();
    if (pid < 0)
        return 0;
    if (pid == 0) {
        close(ends[0]);
        child(ends[1]);
    }
    close(ends[1]);
    long length = printed(ends[0], text, sizeof text - 1, now() + patience);
    if (length < 0)
        kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    close(ends[0]);
    if (length >= 0)
        end_in_words(status, words);
    text[length < 0 ? 0 : length] = 0;
    printf("%s|", words);
    for (unsigned i = 0; i < inputs->count && i < MOST_INPUTS; i++)
        if (inputs->given[i].name)
            printf("%s=%u ", inputs->given[i].name, inputs->given[i].value);
    printf("|%s\n", text);
    return length >= 0;
}

int main(int argc, char **argv)
{
    long runs = argc > 1 ? atol(argv[1]) : 1;
    unsigned long first = argc > 2 ? strtoul(argv[2], 0, 10) : 0;
    long patience = argc > 3 ? atol(argv[3]) : 1000;
    inputs = mmap(0, sizeof *inputs, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (inputs == MAP_FAILED)
        return 2;
    for (long i = 0; i < runs; i++) {
        seed = mixed(first + (unsigned long)i);
        fflush(stdout);
        if (!run(patience))
            break;
    }
    return 0;
}
