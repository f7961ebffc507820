// A logger. Threads put records into a bounded ring; a thread of the logger writes them to a file. On SIGHUP it opens the file
// again, so that the old one can be moved away (log rotation). Closing the logger writes everything that was logged before.
//
//     logger [-l LEVEL] FILE        logs the lines of standard input
//
// Without arguments, the program logs from several threads, rotates the file once, and checks that no record is lost.
//
// Bugs to choose with -DBUG=N:
//     1  the signal handler logs a message itself
//     2  the thread of the logger looks whether it shall end after it has emptied the ring
//     3  only one of the threads that wait for space is woken, and only when the ring was full
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef RECORDS
#define RECORDS 2 // records in the ring
#endif
#ifndef WRITERS
#define WRITERS 2 // threads of the test
#endif
#ifndef MESSAGES
#define MESSAGES 2 // messages of each of them
#endif

enum { TEXT_SIZE = 80 };

enum level { DEBUG, INFO, WARNING, ERROR };

static const char *const level_names[] = {"debug", "info", "warning", "error"};

struct record {
    long number;
    enum level level;
    char text[TEXT_SIZE];
};

struct logger {
    char *path;
    enum level least; // records below are dropped

    pthread_mutex_t lock; // protects the ring and `closing`
    pthread_cond_t not_full;
    struct record ring[RECORDS];
    unsigned first, count;
    long last_number;
    bool closing;

    sem_t wake; // posted for each record, each signal and the end
    atomic_bool reopen;
    pthread_t thread;

    // of the logger's thread
    FILE *file;
    long written, rotations;
};

// The logger that SIGHUP is for.
static struct logger *_Atomic hangup_logger;

// ---------------------------------------------------------------------------------------------------------------- writing

static void complain(const char *what, const char *path) {
    fprintf(stderr, "logger: %s %s: %s\n", what, path, strerror(errno));
}

// Puts a record into the ring; waits while the ring is full. False: its level is too low.
static bool log_message(struct logger *logger, enum level level, const char *format, ...) {
    if (level < logger->least)
        return false;
    char text[TEXT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);

    pthread_mutex_lock(&logger->lock);
    while (logger->count == RECORDS)
        pthread_cond_wait(&logger->not_full, &logger->lock);
    struct record *record = &logger->ring[(logger->first + logger->count) % RECORDS];
    record->number = ++logger->last_number;
    record->level = level;
    strcpy(record->text, text);
    logger->count++;
    pthread_mutex_unlock(&logger->lock);
    sem_post(&logger->wake);
    return true;
}

// Empties the ring into `batch`. The lock is held.
static unsigned take_records(struct logger *logger, struct record batch[RECORDS]) {
    unsigned taken = logger->count;
    for (unsigned i = 0; i < taken; i++)
        batch[i] = logger->ring[(logger->first + i) % RECORDS];
    logger->first = (logger->first + taken) % RECORDS;
    logger->count = 0;
#if BUG == 3
    if (taken == RECORDS)
        pthread_cond_signal(&logger->not_full);
#else
    if (taken > 0)
        pthread_cond_broadcast(&logger->not_full);
#endif
    return taken;
}

static void write_records(struct logger *logger, const struct record *batch, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        const struct record *record = &batch[i];
        if (fprintf(logger->file, "%ld %s %s\n", record->number, level_names[record->level], record->text) < 0)
            complain("cannot write to", logger->path);
        else
            logger->written++;
    }
    if (count > 0)
        fflush(logger->file);
}

// ------------------------------------------------------------------------------------------------------ the logger's thread

static void reopen_file(struct logger *logger) {
    FILE *file = fopen(logger->path, "a");
    if (!file) {
        complain("cannot reopen", logger->path); // better the old file than none
        return;
    }
    fclose(logger->file);
    logger->file = file;
    logger->rotations++;
}

static void wait_for_work(struct logger *logger) {
    while (sem_wait(&logger->wake) != 0)
        assert(errno == EINTR);
}

static void *write_log(void *argument) {
    struct logger *logger = argument;
    struct record batch[RECORDS];
    bool closing;
    do {
        wait_for_work(logger);
        if (atomic_exchange(&logger->reopen, false))
            reopen_file(logger);
        pthread_mutex_lock(&logger->lock);
        unsigned count = take_records(logger, batch);
        closing = logger->closing;
        pthread_mutex_unlock(&logger->lock);
        write_records(logger, batch, count);
#if BUG == 2
        pthread_mutex_lock(&logger->lock);
        closing = logger->closing;
        pthread_mutex_unlock(&logger->lock);
#endif
    } while (!closing);
    return NULL;
}

// --------------------------------------------------------------------------------------------------------- open and close

static struct logger *open_logger(const char *path, enum level least) {
    struct logger *logger = calloc(1, sizeof *logger);
    if (!logger)
        return NULL;
    logger->path = strdup(path);
    logger->least = least;
    logger->file = logger->path ? fopen(path, "a") : NULL;
    if (!logger->file) {
        complain("cannot open", path);
        goto no_file;
    }
    pthread_mutex_init(&logger->lock, NULL);
    pthread_cond_init(&logger->not_full, NULL);
    sem_init(&logger->wake, 0, 0);
    if ((errno = pthread_create(&logger->thread, NULL, write_log, logger))) {
        complain("no thread for", path);
        goto no_thread;
    }
    return logger;

no_thread:
    sem_destroy(&logger->wake);
    pthread_cond_destroy(&logger->not_full);
    pthread_mutex_destroy(&logger->lock);
    fclose(logger->file);
no_file:
    free(logger->path);
    free(logger);
    return NULL;
}

// Writes all that was logged, and closes the file. Returns how many records were written. No other thread uses the logger.
static long close_logger(struct logger *logger) {
    pthread_mutex_lock(&logger->lock);
    logger->closing = true;
    pthread_mutex_unlock(&logger->lock);
    sem_post(&logger->wake);
    pthread_join(logger->thread, NULL);

    long written = logger->written;
    fprintf(stderr, "logger: %s: %ld records, %ld rotations\n", logger->path, written, logger->rotations);
    if (fclose(logger->file) != 0)
        complain("cannot close", logger->path);
    sem_destroy(&logger->wake);
    pthread_cond_destroy(&logger->not_full);
    pthread_mutex_destroy(&logger->lock);
    free(logger->path);
    free(logger);
    return written;
}

// --------------------------------------------------------------------------------------------------------------- rotation

static void on_hangup(int signal) {
    (void)signal;
    int saved = errno;
    struct logger *logger = atomic_load(&hangup_logger);
    if (logger) {
#if BUG == 1
        log_message(logger, INFO, "rotation");
#endif
        atomic_store(&logger->reopen, true);
        sem_post(&logger->wake);
    }
    errno = saved;
}

// From now on, SIGHUP is for this logger.
static bool rotate_on_hangup(struct logger *logger) {
    struct sigaction action = {.sa_handler = on_hangup, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    atomic_store(&hangup_logger, logger);
    return sigaction(SIGHUP, &action, NULL) == 0;
}

static void ignore_hangup(void) {
    signal(SIGHUP, SIG_IGN);
    atomic_store(&hangup_logger, NULL);
}

// ------------------------------------------------------------------------------------------------------------------- main

// Reads a log whose records have consecutive numbers, beginning after `number`. Returns the last number.
static long check_log(const char *path, long number) {
    FILE *file = fopen(path, "r");
    if (!file)
        return number;
    char line[TEXT_SIZE + 40];
    while (fgets(line, sizeof line, file)) {
        assert(atol(line) == number + 1);
        number++;
    }
    fclose(file);
    return number;
}

static void *write_messages(void *argument) {
    for (int i = 1; i <= MESSAGES; i++)
        log_message(argument, INFO, "message %d", i);
    return NULL;
}

static int test(void) {
    static const char path[] = "logger-test.log", old_path[] = "logger-test.old";
    remove(path);
    remove(old_path);
    struct logger *logger = open_logger(path, INFO);
    if (!logger || !rotate_on_hangup(logger))
        return 1;
    pthread_t writers[WRITERS];
    for (int i = 0; i < WRITERS; i++)
        if (pthread_create(&writers[i], NULL, write_messages, logger))
            return 1;
    log_message(logger, DEBUG, "this is not important");
    if (rename(path, old_path) != 0)
        complain("cannot move", path);
    raise(SIGHUP);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(writers[i], NULL);
    log_message(logger, WARNING, "the end");
    ignore_hangup();
    long written = close_logger(logger);

    long found = check_log(path, check_log(old_path, 0));
    assert(found == written);
    assert(written == WRITERS * MESSAGES + 1);
    remove(path);
    remove(old_path);
    return 0;
}

static bool parse_level(const char *name, enum level *level) {
    for (unsigned i = 0; i < sizeof level_names / sizeof *level_names; i++) {
        if (strcmp(level_names[i], name) == 0) {
            *level = (enum level)i;
            return true;
        }
    }
    return false;
}

static int usage(void) {
    fprintf(stderr, "usage: logger [-l debug|info|warning|error] FILE\n");
    return 2;
}

int main(int argc, char **argv) {
    enum level level = INFO;
    if (argc < 2)
        return test();
    int option;
    while ((option = getopt(argc, argv, "l:")) != -1)
        if (option != 'l' || !parse_level(optarg, &level))
            return usage();
    if (optind + 1 != argc)
        return usage();
    struct logger *logger = open_logger(argv[optind], DEBUG);
    if (!logger)
        return 1;
    if (!rotate_on_hangup(logger))
        complain("no rotation of", argv[optind]);
    char line[TEXT_SIZE];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = '\0';
        log_message(logger, level, "%s", line);
    }
    ignore_hangup();
    close_logger(logger);
    return 0;
}
