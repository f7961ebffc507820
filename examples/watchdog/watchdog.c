// Dining philosophers with deadlines. A philosopher waits for a fork until a deadline, and otherwise puts the other fork back and
// tries again. A watchdog looks at all of them from time to time, and warns of those that have been hungry for too long.
//
//     watchdog [-n PHILOSOPHERS] [-m MEALS]
//
// Without arguments, the program lets two philosophers dine, and checks the statistics.
//
// Bugs to choose with -DBUG=N:
//     1  the watchdog looks at the philosophers without the lock
//     2  a philosopher who has one fork waits for the other one without a deadline
//     3  a deadline may have more than 999999999 nanoseconds
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#ifndef PHILOSOPHERS
#define PHILOSOPHERS 2
#endif
#ifndef MEALS
#define MEALS 1 // of each of them
#endif
#ifndef MEAL_MICROSECONDS
#define MEAL_MICROSECONDS 10
#endif
#ifndef PATIENCE_MILLISECONDS
#define PATIENCE_MILLISECONDS 20 // how long to wait for a fork
#endif
#ifndef WATCH_MILLISECONDS
#define WATCH_MILLISECONDS 10 // how often the watchdog looks
#endif
#ifndef HUNGER_MILLISECONDS
#define HUNGER_MILLISECONDS 50 // when it warns
#endif

enum { NOBODY = -1 };

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        perror("watchdog: malloc");
        exit(1);
    }
    return memory;
}

// ------------------------------------------------------------------------------------------------------------------- time

static struct timespec now(void) {
    struct timespec time;
    if (clock_gettime(CLOCK_MONOTONIC, &time) != 0) {
        perror("watchdog: clock_gettime");
        exit(1);
    }
    return time;
}

static struct timespec after(long milliseconds) {
    struct timespec time = now();
    time.tv_sec += milliseconds / 1000;
    time.tv_nsec += milliseconds % 1000 * 1000000;
#if BUG != 3
    if (time.tv_nsec >= 1000000000) {
        time.tv_nsec -= 1000000000;
        time.tv_sec++;
    }
#endif
    return time;
}

static long milliseconds_since(struct timespec begin) {
    struct timespec end = now();
    return (end.tv_sec - begin.tv_sec) * 1000 + (end.tv_nsec - begin.tv_nsec) / 1000000;
}

static void rest(long microseconds) {
    struct timespec time = {.tv_sec = microseconds / 1000000, .tv_nsec = microseconds % 1000000 * 1000};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

// Deadlines are those of the monotonic clock: the time of day may be set.
static void init_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

// ------------------------------------------------------------------------------------------------------------------ forks

struct fork {
    pthread_mutex_t lock;
    pthread_cond_t is_free;
    int owner;
};

static void init_fork(struct fork *fork) {
    pthread_mutex_init(&fork->lock, NULL);
    init_condition(&fork->is_free);
    fork->owner = NOBODY;
}

static void destroy_fork(struct fork *fork) {
    assert(fork->owner == NOBODY);
    pthread_cond_destroy(&fork->is_free);
    pthread_mutex_destroy(&fork->lock);
}

// Waits for the fork until the deadline; for ever, if there is none.
static bool take_fork(struct fork *fork, int philosopher, const struct timespec *deadline) {
    int error = 0;
    pthread_mutex_lock(&fork->lock);
    while (fork->owner != NOBODY && error != ETIMEDOUT) {
        if (deadline)
            error = pthread_cond_timedwait(&fork->is_free, &fork->lock, deadline);
        else
            pthread_cond_wait(&fork->is_free, &fork->lock);
    }
    bool taken = fork->owner == NOBODY;
    if (taken)
        fork->owner = philosopher;
    pthread_mutex_unlock(&fork->lock);
    return taken;
}

static void put_fork(struct fork *fork, int philosopher) {
    pthread_mutex_lock(&fork->lock);
    assert(fork->owner == philosopher);
    fork->owner = NOBODY;
    pthread_cond_signal(&fork->is_free);
    pthread_mutex_unlock(&fork->lock);
}

// ------------------------------------------------------------------------------------------------------------------ table

struct philosopher {
    struct table *table;
    int number;
    pthread_t thread;

    // protected by the lock of the table
    bool is_hungry, is_warned_of;
    struct timespec hungry_since;
    int meals, timeouts;
    long longest_hunger; // in milliseconds
};

struct table {
    int count, meals;
    struct philosopher *philosophers;
    struct fork *forks;

    pthread_mutex_t lock;
    pthread_cond_t closed;
    bool closing;
    int warnings;
    pthread_t watchdog;
};

static struct fork *left_fork(struct philosopher *philosopher) {
    return &philosopher->table->forks[philosopher->number];
}

static struct fork *right_fork(struct philosopher *philosopher) {
    struct table *table = philosopher->table;
    return &table->forks[(philosopher->number + 1) % table->count];
}

static void become_hungry(struct philosopher *philosopher) {
    pthread_mutex_lock(&philosopher->table->lock);
    philosopher->is_hungry = true;
    philosopher->is_warned_of = false;
    philosopher->hungry_since = now();
    pthread_mutex_unlock(&philosopher->table->lock);
}

static void become_full(struct philosopher *philosopher) {
    pthread_mutex_lock(&philosopher->table->lock);
    philosopher->is_hungry = false;
    philosopher->meals++;
    long hunger = milliseconds_since(philosopher->hungry_since);
    if (hunger > philosopher->longest_hunger)
        philosopher->longest_hunger = hunger;
    pthread_mutex_unlock(&philosopher->table->lock);
}

static void count_timeout(struct philosopher *philosopher) {
    pthread_mutex_lock(&philosopher->table->lock);
    philosopher->timeouts++;
    pthread_mutex_unlock(&philosopher->table->lock);
}

// Both forks, or none. There may be a circle of philosophers who wait for each other, but no longer than their patience lasts.
static bool take_forks(struct philosopher *philosopher) {
    struct timespec deadline = after(PATIENCE_MILLISECONDS);
    if (!take_fork(left_fork(philosopher), philosopher->number, &deadline))
        return false;
#if BUG == 2
    return take_fork(right_fork(philosopher), philosopher->number, NULL);
#else
    if (take_fork(right_fork(philosopher), philosopher->number, &deadline))
        return true;
    put_fork(left_fork(philosopher), philosopher->number);
    return false;
#endif
}

static void put_forks(struct philosopher *philosopher) {
    put_fork(right_fork(philosopher), philosopher->number);
    put_fork(left_fork(philosopher), philosopher->number);
}

static void *dine(void *argument) {
    struct philosopher *philosopher = argument;
    for (int meal = 0; meal < philosopher->table->meals; meal++) {
        become_hungry(philosopher);
        while (!take_forks(philosopher)) {
            count_timeout(philosopher);
            rest(MEAL_MICROSECONDS * (philosopher->number + 1)); // so that not all try again at once
        }
        rest(MEAL_MICROSECONDS);
        put_forks(philosopher);
        become_full(philosopher);
    }
    return NULL;
}

// --------------------------------------------------------------------------------------------------------------- watchdog

// Warns of philosophers who have been hungry for too long, once for each meal.
static void look_after_all(struct table *table) {
    for (int i = 0; i < table->count; i++) {
        struct philosopher *philosopher = &table->philosophers[i];
        if (!philosopher->is_hungry || philosopher->is_warned_of)
            continue;
        long hunger = milliseconds_since(philosopher->hungry_since);
        if (hunger >= HUNGER_MILLISECONDS) {
            fprintf(stderr, "watchdog: philosopher %d has been hungry for %ld ms\n", i, hunger);
            philosopher->is_warned_of = true;
            table->warnings++;
        }
    }
}

static void *watch(void *argument) {
    struct table *table = argument;
    struct timespec deadline = after(WATCH_MILLISECONDS);
    pthread_mutex_lock(&table->lock);
    while (!table->closing) {
        if (pthread_cond_timedwait(&table->closed, &table->lock, &deadline) == ETIMEDOUT) {
#if BUG == 1
            pthread_mutex_unlock(&table->lock); // nobody should wait for the output
            look_after_all(table);
            pthread_mutex_lock(&table->lock);
#else
            look_after_all(table);
#endif
            deadline = after(WATCH_MILLISECONDS);
        }
    }
    pthread_mutex_unlock(&table->lock);
    return NULL;
}

// --------------------------------------------------------------------------------------------------------- open and close

static void start(pthread_t *thread, void *(*function)(void *), void *argument) {
    if ((errno = pthread_create(thread, NULL, function, argument))) {
        perror("watchdog: pthread_create");
        exit(1);
    }
}

static struct table *open_table(int count, int meals) {
    struct table *table = allocate(sizeof *table);
    *table = (struct table){.count = count, .meals = meals};
    table->forks = allocate((size_t)count * sizeof *table->forks);
    table->philosophers = allocate((size_t)count * sizeof *table->philosophers);
    pthread_mutex_init(&table->lock, NULL);
    init_condition(&table->closed);
    for (int i = 0; i < count; i++) {
        init_fork(&table->forks[i]);
        table->philosophers[i] = (struct philosopher){.table = table, .number = i};
    }
    start(&table->watchdog, watch, table);
    for (int i = 0; i < count; i++)
        start(&table->philosophers[i].thread, dine, &table->philosophers[i]);
    return table;
}

static void wait_for_all(struct table *table) {
    for (int i = 0; i < table->count; i++)
        pthread_join(table->philosophers[i].thread, NULL);
    pthread_mutex_lock(&table->lock);
    table->closing = true;
    pthread_cond_signal(&table->closed);
    pthread_mutex_unlock(&table->lock);
    pthread_join(table->watchdog, NULL);
}

// Returns how many meals there were.
static int close_table(struct table *table) {
    int meals = 0, timeouts = 0;
    long longest = 0;
    for (int i = 0; i < table->count; i++) {
        struct philosopher *philosopher = &table->philosophers[i];
        meals += philosopher->meals;
        timeouts += philosopher->timeouts;
        if (philosopher->longest_hunger > longest)
            longest = philosopher->longest_hunger;
        destroy_fork(&table->forks[i]);
    }
    fprintf(stderr, "watchdog: %d meals, %d timeouts, %d warnings, at most %ld ms hungry\n", meals, timeouts,
            table->warnings, longest);
    pthread_cond_destroy(&table->closed);
    pthread_mutex_destroy(&table->lock);
    free(table->philosophers);
    free(table->forks);
    free(table);
    return meals;
}

static int run(int count, int meals) {
    struct table *table = open_table(count, meals);
    wait_for_all(table);
    return close_table(table);
}

int main(int argc, char **argv) {
    int count = PHILOSOPHERS, meals = MEALS, option;
    while ((option = getopt(argc, argv, "n:m:")) != -1) {
        if (option == 'n')
            count = atoi(optarg);
        else
            meals = option == 'm' ? atoi(optarg) : 0;
    }
    if (count < 2 || meals < 1 || optind < argc) {
        fprintf(stderr, "usage: watchdog [-n PHILOSOPHERS] [-m MEALS]\n");
        return 2;
    }
    int eaten = run(count, meals);
    assert(eaten == count * meals);
    return 0;
}
