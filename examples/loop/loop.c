// An event loop: one thread waits with epoll for timers and for tasks that other threads post, and calls back. A posted task wakes
// the loop through an eventfd; each timer is a timerfd.
//
//     loop MILLISECONDS...        says when each of these times is over; the line `quit` on standard input ends the program
//
// Without arguments, threads post tasks while two timers of the same length run, of which the first to fire cancels the other.
//
// Bugs to choose with -DBUG=N:
//     1  a timer is freed while the loop may still have an event for it
//     2  the loop takes the posted tasks before it resets the eventfd
//     3  another thread stops the loop by setting its flag
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef THREADS
#define THREADS 2 // of the test
#endif
#ifndef TASKS
#define TASKS 1 // of each of them
#endif

enum { EVENTS = 4 }; // that the loop takes at once

static void die(const char *what) {
    fprintf(stderr, "loop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        die("malloc");
    return memory;
}

// ------------------------------------------------------------------------------------------------------------------- loop

struct loop;

// Something that the loop watches. Only the thread of the loop touches it.
struct watcher {
    int descriptor;
    void (*on_ready)(struct loop *, struct watcher *);
    bool is_removed;
    struct watcher *next_removed;
};

struct task {
    void (*run)(struct loop *, void *);
    void *argument;
    struct task *next;
};

struct loop {
    int epoll;
    struct watcher wake;     // an eventfd
    struct watcher *removed; // to be freed when no event for them can be left
    bool stopping;           // of the thread of the loop
    long events, tasks_run;

    pthread_mutex_t lock; // protects the tasks that were posted
    struct task *first, **end;
};

static void watch(struct loop *loop, struct watcher *watcher) {
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = watcher};
    if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, watcher->descriptor, &event) != 0)
        die("epoll_ctl");
}

// The watcher is freed after the events that the loop has taken together.
static void unwatch(struct loop *loop, struct watcher *watcher) {
    if (epoll_ctl(loop->epoll, EPOLL_CTL_DEL, watcher->descriptor, NULL) != 0)
        die("epoll_ctl");
    close(watcher->descriptor);
#if BUG == 1
    free(watcher);
    (void)loop;
#else
    watcher->is_removed = true;
    watcher->next_removed = loop->removed;
    loop->removed = watcher;
#endif
}

static void free_removed(struct loop *loop) {
    while (loop->removed) {
        struct watcher *watcher = loop->removed;
        loop->removed = watcher->next_removed;
        free(watcher);
    }
}

// Has the function called by the loop. Any thread may call this.
static void post(struct loop *loop, void (*run)(struct loop *, void *), void *argument) {
    struct task *task = allocate(sizeof *task);
    *task = (struct task){.run = run, .argument = argument};
    pthread_mutex_lock(&loop->lock);
    *loop->end = task;
    loop->end = &task->next;
    pthread_mutex_unlock(&loop->lock);
    uint64_t one = 1;
    if (write(loop->wake.descriptor, &one, sizeof one) != sizeof one)
        die("eventfd");
}

static struct task *take_tasks(struct loop *loop) {
    pthread_mutex_lock(&loop->lock);
    struct task *tasks = loop->first;
    loop->first = NULL;
    loop->end = &loop->first;
    pthread_mutex_unlock(&loop->lock);
    return tasks;
}

static void reset_wake(struct watcher *wake) {
    uint64_t count;
    if (read(wake->descriptor, &count, sizeof count) < 0 && errno != EAGAIN)
        die("eventfd");
}

static void run_posted(struct loop *loop, struct watcher *wake) {
#if BUG == 2
    struct task *tasks = take_tasks(loop);
    reset_wake(wake);
#else
    reset_wake(wake);
    struct task *tasks = take_tasks(loop);
#endif
    while (tasks) {
        struct task *task = tasks;
        tasks = task->next;
        task->run(loop, task->argument);
        free(task);
        loop->tasks_run++;
    }
}

static void open_loop(struct loop *loop) {
    memset(loop, 0, sizeof *loop);
    loop->end = &loop->first;
    pthread_mutex_init(&loop->lock, NULL);
    loop->epoll = epoll_create1(EPOLL_CLOEXEC);
    loop->wake.descriptor = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
    loop->wake.on_ready = run_posted;
    if (loop->epoll < 0 || loop->wake.descriptor < 0)
        die("epoll");
    watch(loop, &loop->wake);
}

// No thread posts any more.
static void close_loop(struct loop *loop) {
    for (struct task *task = take_tasks(loop), *next; task; task = next) {
        next = task->next;
        free(task);
    }
    close(loop->wake.descriptor);
    close(loop->epoll);
    pthread_mutex_destroy(&loop->lock);
}

static void run_loop(struct loop *loop) {
    while (!loop->stopping) {
        struct epoll_event events[EVENTS];
        int count = epoll_wait(loop->epoll, events, EVENTS, -1);
        if (count < 0 && errno != EINTR)
            die("epoll_wait");
        for (int i = 0; i < count; i++) {
            struct watcher *watcher = events[i].data.ptr;
            loop->events++;
            if (!watcher->is_removed)
                watcher->on_ready(loop, watcher);
        }
        free_removed(loop);
    }
}

static void set_stopping(struct loop *loop, void *unused) {
    (void)unused;
    loop->stopping = true;
}

// Ends the loop. Any thread may call this.
static void stop_loop(struct loop *loop) {
#if BUG == 3
    uint64_t one = 1;
    loop->stopping = true;
    if (write(loop->wake.descriptor, &one, sizeof one) != sizeof one)
        die("eventfd");
#else
    post(loop, set_stopping, NULL);
#endif
}

// ----------------------------------------------------------------------------------------------------------------- timers

// Fires once, and is gone then. Only the thread of the loop may start and cancel timers.
struct timer {
    struct watcher watcher; // must be first: the loop frees it
    void (*on_time)(struct loop *, void *);
    void *argument;
};

static void cancel_timer(struct loop *loop, struct timer *timer) {
    unwatch(loop, &timer->watcher);
}

static void on_timer(struct loop *loop, struct watcher *watcher) {
    struct timer *timer = (struct timer *)watcher;
    void (*on_time)(struct loop *, void *) = timer->on_time;
    void *argument = timer->argument;
    cancel_timer(loop, timer);
    on_time(loop, argument);
}

static struct timer *start_timer(struct loop *loop, long milliseconds, void (*on_time)(struct loop *, void *),
                                 void *argument) {
    struct timer *timer = allocate(sizeof *timer);
    struct itimerspec times = {.it_value = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000}};
    if (milliseconds == 0)
        times.it_value.tv_nsec = 1; // zero would disarm it
    *timer = (struct timer){.on_time = on_time, .argument = argument};
    timer->watcher.on_ready = on_timer;
    timer->watcher.descriptor = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
    if (timer->watcher.descriptor < 0 || timerfd_settime(timer->watcher.descriptor, 0, &times, NULL) != 0)
        die("timerfd");
    watch(loop, &timer->watcher);
    return timer;
}

// ------------------------------------------------------------------------------------------------------------------- test

struct test {
    struct loop loop;
    struct timer *timers[2];
    int fired, tasks; // of the thread of the loop

    pthread_mutex_t lock;
    int threads_left; // the last one stops the loop
};

static void count_task(struct loop *loop, void *argument) {
    (void)loop;
    struct test *test = argument;
    test->tasks++;
}

static void *post_tasks(void *argument) {
    struct test *test = argument;
    for (int i = 0; i < TASKS; i++)
        post(&test->loop, count_task, test);
    pthread_mutex_lock(&test->lock);
    bool is_last = --test->threads_left == 0;
    pthread_mutex_unlock(&test->lock);
    if (is_last)
        stop_loop(&test->loop);
    return NULL;
}

static void on_first_time(struct loop *loop, void *argument) {
    struct test *test = argument;
    test->fired++;
    test->timers[0] = NULL;
    cancel_timer(loop, test->timers[1]);
    test->timers[1] = NULL;
}

static void on_second_time(struct loop *loop, void *argument) {
    struct test *test = argument;
    test->fired++;
    test->timers[1] = NULL;
    cancel_timer(loop, test->timers[0]);
    test->timers[0] = NULL;
}

static int test(void) {
    struct test test = {.threads_left = THREADS};
    pthread_t threads[THREADS];
    open_loop(&test.loop);
    pthread_mutex_init(&test.lock, NULL);
    test.timers[0] = start_timer(&test.loop, 1, on_first_time, &test);
    test.timers[1] = start_timer(&test.loop, 1, on_second_time, &test);
    for (int i = 0; i < THREADS; i++)
        if ((errno = pthread_create(&threads[i], NULL, post_tasks, &test)))
            die("pthread_create");
    run_loop(&test.loop);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);

    for (int i = 0; i < 2; i++)
        if (test.timers[i])
            cancel_timer(&test.loop, test.timers[i]);
    free_removed(&test.loop);
    fprintf(stderr, "loop: %ld events, %ld tasks, %d timers fired\n", test.loop.events, test.loop.tasks_run, test.fired);
    assert(test.tasks == THREADS * TASKS);
    assert(test.fired <= 1);
    pthread_mutex_destroy(&test.lock);
    close_loop(&test.loop);
    return 0;
}

// ------------------------------------------------------------------------------------------------------------------- main

static void say(struct loop *loop, void *text) {
    (void)loop;
    printf("%s ms are over\n", (const char *)text);
    fflush(stdout);
}

static void *read_commands(void *argument) {
    struct loop *loop = argument;
    char line[64];
    while (fgets(line, sizeof line, stdin))
        if (strcmp(line, "quit\n") == 0)
            break;
    stop_loop(loop);
    return NULL;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return test();
    struct loop loop;
    pthread_t reader;
    open_loop(&loop);
    for (int i = 1; i < argc; i++) {
        long milliseconds = strtol(argv[i], NULL, 10);
        if (milliseconds < 0) {
            fprintf(stderr, "usage: loop MILLISECONDS...\n");
            return 2;
        }
        start_timer(&loop, milliseconds, say, argv[i]);
    }
    if ((errno = pthread_create(&reader, NULL, read_commands, &loop)))
        die("pthread_create");
    run_loop(&loop);
    pthread_join(reader, NULL);
    close_loop(&loop);
    return 0;
}
