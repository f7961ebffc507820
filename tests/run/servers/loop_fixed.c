// run: --runs 100 --seed 1
// An event loop: other threads post tasks and wake it through an event counter; a timer limits how long it waits.
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

struct task {
    void (*run)(struct task *);
    struct task *next;
    int value;
};

struct loop {
    pthread_mutex_t lock;
    struct task *first, **last;
    int wake, timer;
    int left;
    long sum;
    int ticks;
};

static struct loop loop;

static void loop_init(struct loop *l, int tasks) {
    struct itimerspec every = {{0, 10000000}, {0, 10000000}};
    pthread_mutex_init(&l->lock, NULL);
    l->first = NULL;
    l->last = &l->first;
    l->wake = eventfd(0, EFD_NONBLOCK);
    l->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    timerfd_settime(l->timer, 0, &every, NULL);
    l->left = tasks;
}

static void post(struct loop *l, void (*run)(struct task *), int value) {
    struct task *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->run = run;
    t->value = value;
    t->next = NULL;
    pthread_mutex_lock(&l->lock);
    *l->last = t;
    l->last = &t->next;
    pthread_mutex_unlock(&l->lock);
    eventfd_write(l->wake, 1);
}

static struct task *take_all(struct loop *l) {
    pthread_mutex_lock(&l->lock);
    struct task *all = l->first;
    l->first = NULL;
    l->last = &l->first;
    pthread_mutex_unlock(&l->lock);
    return all;
}

static void run_tasks(struct loop *l) {
    eventfd_t count;
    if (eventfd_read(l->wake, &count) < 0)
        return;
    for (struct task *t = take_all(l); t;) {
        struct task *next = t->next;
        t->run(t);
        free(t);
        l->left--;
        t = next;
    }
}

static void run_timer(struct loop *l) {
    uint64_t times;
    if (read(l->timer, &times, sizeof times) == sizeof times)
        l->ticks += (int)times;
}

static void loop_run(struct loop *l) {
    struct pollfd all[2] = {{l->wake, POLLIN, 0}, {l->timer, POLLIN, 0}};
    while (l->left > 0) {
        if (poll(all, 2, -1) <= 0)
            continue;
        if (all[0].revents & POLLIN)
            run_tasks(l);
        if (all[1].revents & POLLIN)
            run_timer(l);
    }
}

static void add(struct task *t) {
    loop.sum += t->value;
}

static void *producer(void *unused) {
    (void)unused;
    for (int i = 1; i <= 3; i++)
        post(&loop, add, i);
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    loop_init(&loop, 6);
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, producer, NULL);
    loop_run(&loop);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("%ld\n", loop.sum);
    close(loop.wake);
    close(loop.timer);
    pthread_mutex_destroy(&loop.lock);
    return 0;
}
