// setjmp and longjmp: through several frames, from recursion, callbacks and loops, with values that stay.
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf top, inner;
static int depth_reached;

static void fall(int depth) {
    depth_reached = depth;
    if (depth == 5)
        longjmp(top, 42);
    fall(depth + 1);
    printf("never\n");
}

static void simple(void) {
    int code = setjmp(top);
    printf("code %d\n", code);
    if (code == 0)
        fall(1);
    printf("depth %d\n", depth_reached);
}

static void zero(void) {
    switch (setjmp(top)) {
    case 0: longjmp(top, 0);
    case 1: printf("one for zero\n"); break;
    default: printf("other\n");
    }
}

static void counting(void) {
    volatile int tries = 0;
    double kept = 2.5;
    const char *text = "kept";
    if (setjmp(top) < 5) {
        tries++;
        longjmp(top, tries);
    }
    printf("%d tries, %.1f %s\n", tries, kept, text);
}

// An exception mechanism as programs write it.
struct handler {
    jmp_buf place;
    struct handler *outer;
};
static struct handler *handlers;

static void throw(int what) {
    struct handler *to = handlers;
    handlers = to->outer;
    longjmp(to->place, what);
}

static int parse(const char *text) {
    int sum = 0;
    for (; *text; text++) {
        if (*text < '0' || *text > '9')
            throw(*text);
        sum = 10 * sum + (*text - '0');
    }
    return sum;
}

static int try_parse(const char *text) {
    struct handler own;
    own.outer = handlers;
    handlers = &own;
    volatile int result = -1;
    int error = setjmp(own.place);
    if (error == 0) {
        result = parse(text);
        handlers = own.outer;
    } else {
        printf("error '%c'\n", error);
    }
    return result;
}

static void nested(void) {
    volatile int phase = 0;
    if (setjmp(top)) {
        printf("outer after phase %d\n", phase);
        return;
    }
    phase = 1;
    if (setjmp(inner)) {
        printf("inner after phase %d\n", phase);
        phase = 3;
        longjmp(top, 1);
    }
    phase = 2;
    longjmp(inner, 1);
}

static int recursive(int n) {
    jmp_buf own;
    volatile int result = n;
    if (n == 0)
        return 0;
    if (setjmp(own) == 0) {
        result += recursive(n - 1);
        longjmp(own, 1);
    }
    return result;
}

static int compared;

static int compare(const void *a, const void *b) {
    (void)a;
    (void)b;
    compared = 1;
    longjmp(top, 7);
}

static void callback(void) {
    int values[4] = {3, 1, 2, 0};
    if (setjmp(top) == 0)
        qsort(values, 4, sizeof *values, compare);
    printf("compared %d\n", compared);
}

static void loops(void) {
    for (volatile int i = 0; i < 3; i++) {
        if (!setjmp(top))
            longjmp(top, i + 1);
        printf("round %d\n", i);
    }
}

static void expressions(int argument) {
    int values[3] = {10, 20, 30};
    int *p = values + argument;
    if (setjmp(top) != 0 && *p == 20) {
        printf("there %d\n", *p);
    } else if (argument) {
        int n = argument * 7;
        char text[n + 1];
        memset(text, 'x', (size_t)n);
        text[n] = 0;
        printf("%s\n", text);
        longjmp(top, 1);
    }
    while (!setjmp(inner))
        longjmp(inner, 2);
    printf("left\n");
}

static void masks(void) {
    sigjmp_buf with, without;
    sigset_t set, now;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    if (sigsetjmp(with, 1) == 0) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        siglongjmp(with, 1);
    }
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    printf("restored: %d\n", sigismember(&now, SIGUSR1));
    if (sigsetjmp(without, 0) == 0) {
        pthread_sigmask(SIG_BLOCK, &set, NULL);
        siglongjmp(without, 1);
    }
    pthread_sigmask(SIG_BLOCK, NULL, &now);
    printf("kept: %d\n", sigismember(&now, SIGUSR1));
}

static void *thread(void *argument) {
    jmp_buf own;
    volatile long sum = 0;
    if (setjmp(own) < 3) {
        sum += *(long *)argument;
        longjmp(own, 3);
    }
    return (void *)sum;
}

int main(void) {
    simple();
    zero();
    counting();
    printf("%d\n", try_parse("123"));
    printf("%d\n", try_parse("12x"));
    nested();
    printf("%d\n", recursive(4));
    callback();
    loops();
    expressions(1);
    masks();
    pthread_t threads[2];
    long values[2] = {4, 5};
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, thread, &values[i]);
    for (int i = 0; i < 2; i++) {
        void *result;
        pthread_join(threads[i], &result);
        printf("thread %ld\n", (long)result);
    }
    return 0;
}
