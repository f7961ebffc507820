// A parallel grep. Workers take paths from a queue: a file is searched, and the entries of a directory become new jobs. The
// main thread prints the results in the order of the paths, as soon as each is complete.
//
//     grep [-i] [-v] [-j WORKERS] PATTERN PATH...
//
// A pattern is text in which `.` stands for any character, `^` at its beginning for the start of a line, and `$` at its end
// for the end of a line. Without arguments, the program makes a small tree of files, searches it and compares the output.
//
// Bugs to choose with -DBUG=N:
//     1  a worker adds to the common statistics without the lock
//     2  workers and printer wait on one condition variable, and only one of them is woken
//     3  a worker logs a result that the printer may have freed
#include <assert.h>
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef TEST_FILES
#define TEST_FILES 2 // files in the directory of the test
#endif
#ifndef TEST_LINES
#define TEST_LINES 2 // lines in each of them
#endif

// ---------------------------------------------------------------------------------------------------------------- buffer

struct buffer {
    char *text;
    size_t length, capacity;
};

static void die(const char *what) {
    fprintf(stderr, "grep: %s: %s\n", what, strerror(errno));
    exit(2);
}

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory)
        die("malloc");
    return memory;
}

static char *copy_of(const char *text) {
    size_t size = strlen(text) + 1;
    return memcpy(allocate(size), text, size);
}

static void append(struct buffer *to, const char *text, size_t length) {
    if (to->length + length > to->capacity) {
        size_t capacity = to->capacity ? to->capacity : 64;
        while (capacity < to->length + length)
            capacity *= 2;
        char *larger = realloc(to->text, capacity);
        if (!larger)
            die("realloc");
        to->text = larger;
        to->capacity = capacity;
    }
    memcpy(to->text + to->length, text, length);
    to->length += length;
}

static void append_line(struct buffer *to, const char *path, long number, const char *line, size_t length) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, ":%ld:", number);
    append(to, path, strlen(path));
    append(to, digits, (size_t)count);
    append(to, line, length);
    append(to, "\n", 1);
}

// --------------------------------------------------------------------------------------------------------------- pattern

struct pattern {
    const char *text;
    size_t length;
    bool at_start, at_end, ignore_case;
};

static struct pattern parse_pattern(const char *text, bool ignore_case) {
    struct pattern pattern = {.text = text, .length = strlen(text), .ignore_case = ignore_case};
    if (pattern.length > 0 && text[0] == '^') {
        pattern.at_start = true;
        pattern.text++;
        pattern.length--;
    }
    if (pattern.length > 0 && pattern.text[pattern.length - 1] == '$') {
        pattern.at_end = true;
        pattern.length--;
    }
    return pattern;
}

static bool same_character(const struct pattern *pattern, char wanted, char found) {
    if (wanted == '.' || wanted == found)
        return true;
    return pattern->ignore_case && tolower((unsigned char)wanted) == tolower((unsigned char)found);
}

static bool matches_at(const struct pattern *pattern, const char *line) {
    for (size_t i = 0; i < pattern->length; i++)
        if (!same_character(pattern, pattern->text[i], line[i]))
            return false;
    return true;
}

static bool matches(const struct pattern *pattern, const char *line, size_t length) {
    if (length < pattern->length)
        return false;
    size_t last = length - pattern->length;
    if (pattern->at_start && pattern->at_end && last != 0)
        return false;
    for (size_t start = pattern->at_end ? last : 0; start <= last; start++) {
        if (matches_at(pattern, line + start))
            return true;
        if (pattern->at_start)
            return false;
    }
    return false;
}

// ---------------------------------------------------------------------------------------------------------------- search

// One path. The jobs form a list in the order of the output; those nobody has begun also form the queue.
struct job {
    char *path;
    struct job *next;
    struct job *next_in_queue;
    struct buffer output;
    long found;
    bool is_done;
};

struct search {
    struct pattern pattern;
    bool verbose;

    pthread_mutex_t lock; // protects all that follows
    pthread_cond_t work;  // the queue has a job, or no job is left
    pthread_cond_t done;  // a job is done
    struct job *first;
    struct job *queue, **queue_end;
    int unfinished; // jobs that are not done
    long files, lines, found, errors;
};

static void begin_search(struct search *search, const char *pattern, bool ignore_case, bool verbose) {
    memset(search, 0, sizeof *search);
    search->pattern = parse_pattern(pattern, ignore_case);
    search->verbose = verbose;
    search->queue_end = &search->queue;
    pthread_mutex_init(&search->lock, NULL);
    pthread_cond_init(&search->work, NULL);
    pthread_cond_init(&search->done, NULL);
}

static void end_search(struct search *search) {
    pthread_cond_destroy(&search->done);
    pthread_cond_destroy(&search->work);
    pthread_mutex_destroy(&search->lock);
}

// Inserts a job at `place` in the order of the output, and at the end of the queue. The lock is held.
static struct job **add_job(struct search *search, struct job **place, char *path) {
    struct job *job = allocate(sizeof *job);
    *job = (struct job){.path = path, .next = *place};
    *place = job;
    *search->queue_end = job;
    search->queue_end = &job->next_in_queue;
    search->unfinished++;
    pthread_cond_signal(&search->work);
    return &job->next;
}

// The next job, or NULL if none is left and none will come.
static struct job *take_job(struct search *search) {
    pthread_mutex_lock(&search->lock);
    while (!search->queue && search->unfinished > 0)
        pthread_cond_wait(&search->work, &search->lock);
    struct job *job = search->queue;
    if (job) {
        search->queue = job->next_in_queue;
        if (!search->queue)
            search->queue_end = &search->queue;
    }
    pthread_mutex_unlock(&search->lock);
    return job;
}

// What the search of one path adds to the statistics.
struct counts {
    long files, lines, errors;
};

static void finish_job(struct search *search, struct job *job, const struct counts *counts) {
#if BUG == 1
    search->lines += counts->lines;
#endif
    pthread_mutex_lock(&search->lock);
    search->files += counts->files;
#if BUG != 1
    search->lines += counts->lines;
#endif
    search->errors += counts->errors;
    search->found += job->found;
    job->is_done = true;
#if BUG == 2
    search->unfinished--;
    pthread_cond_signal(&search->work);
#else
    pthread_cond_signal(&search->done);
    if (--search->unfinished == 0)
        pthread_cond_broadcast(&search->work);
#endif
#if BUG != 3
    if (search->verbose)
        fprintf(stderr, "grep: %s: %ld lines found\n", job->path, job->found);
#endif
    pthread_mutex_unlock(&search->lock);
#if BUG == 3
    if (search->verbose)
        fprintf(stderr, "grep: %s: %ld lines found\n", job->path, job->found);
#endif
}

static void search_file(struct search *search, struct job *job, struct counts *counts) {
    FILE *file = fopen(job->path, "r");
    if (!file) {
        fprintf(stderr, "grep: %s: %s\n", job->path, strerror(errno));
        counts->errors++;
        return;
    }
    char *line = NULL;
    size_t capacity = 0;
    ssize_t length;
    while ((length = getline(&line, &capacity, file)) >= 0) {
        if (length > 0 && line[length - 1] == '\n')
            length--;
        counts->lines++;
        if (matches(&search->pattern, line, (size_t)length)) {
            append_line(&job->output, job->path, counts->lines, line, (size_t)length);
            job->found++;
        }
    }
    counts->files++;
    free(line);
    fclose(file);
}

static int by_name(const void *left, const void *right) {
    return strcmp(*(char *const *)left, *(char *const *)right);
}

// Finds the paths of the entries of a directory, sorted.
static bool read_directory(const char *directory, char ***entries, size_t *count) {
    DIR *stream = opendir(directory);
    if (!stream)
        return false;
    char **paths = NULL;
    size_t used = 0, capacity = 0;
    struct dirent *entry;
    while ((entry = readdir(stream))) {
        if (entry->d_name[0] == '.')
            continue;
        if (used == capacity) {
            capacity = capacity ? 2 * capacity : 4;
            char **larger = realloc(paths, capacity * sizeof *paths);
            if (!larger)
                die("realloc");
            paths = larger;
        }
        size_t size = strlen(directory) + strlen(entry->d_name) + 2;
        paths[used] = allocate(size);
        snprintf(paths[used++], size, "%s/%s", directory, entry->d_name);
    }
    closedir(stream);
    if (used > 0)
        qsort(paths, used, sizeof *paths, by_name);
    *entries = paths;
    *count = used;
    return true;
}

static void search_directory(struct search *search, struct job *job, struct counts *counts) {
    size_t count;
    char **paths;
    if (!read_directory(job->path, &paths, &count)) {
        fprintf(stderr, "grep: %s: %s\n", job->path, strerror(errno));
        counts->errors++;
        return;
    }
    pthread_mutex_lock(&search->lock);
    struct job **place = &job->next;
    for (size_t i = 0; i < count; i++)
        place = add_job(search, place, paths[i]);
    pthread_mutex_unlock(&search->lock);
    free(paths);
}

static void *worker(void *argument) {
    struct search *search = argument;
    struct job *job;
    while ((job = take_job(search))) {
        struct counts counts = {0};
        struct stat status;
        if (stat(job->path, &status) == 0 && S_ISDIR(status.st_mode))
            search_directory(search, job, &counts);
        else
            search_file(search, job, &counts);
        finish_job(search, job, &counts);
    }
    return NULL;
}

// Hands the results on in their order, and frees the jobs.
static void print_results(struct search *search, void (*print)(void *, const char *, size_t), void *where) {
    pthread_mutex_lock(&search->lock);
    while (search->first) {
        struct job *job = search->first;
        while (!job->is_done)
#if BUG == 2
            pthread_cond_wait(&search->work, &search->lock);
#else
            pthread_cond_wait(&search->done, &search->lock);
#endif
        search->first = job->next;
        pthread_mutex_unlock(&search->lock);
        if (job->output.length > 0)
            print(where, job->output.text, job->output.length);
        free(job->output.text);
        free(job->path);
        free(job);
        pthread_mutex_lock(&search->lock);
    }
    pthread_mutex_unlock(&search->lock);
}

static void run_search(struct search *search, int workers, char **paths, int count,
                       void (*print)(void *, const char *, size_t), void *where) {
    struct job **place = &search->first;
    for (int i = 0; i < count; i++)
        place = add_job(search, place, copy_of(paths[i]));
    pthread_t *threads = allocate((size_t)workers * sizeof *threads);
    for (int i = 0; i < workers; i++)
        if ((errno = pthread_create(&threads[i], NULL, worker, search)))
            die("pthread_create");
    print_results(search, print, where);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    free(threads);
}

// ------------------------------------------------------------------------------------------------------------------ main

static void print_to_stream(void *stream, const char *text, size_t length) {
    if (fwrite(text, 1, length, stream) != length)
        die("output");
}

static void print_to_buffer(void *buffer, const char *text, size_t length) {
    append(buffer, text, length);
}

static void test_path(char *path, size_t size, int file) {
    snprintf(path, size, "grep-test.d/%c", 'a' + file);
}

static void make_tree(void) {
    if (mkdir("grep-test.d", 0777) != 0 && errno != EEXIST)
        die("grep-test.d");
    for (int i = 0; i < TEST_FILES; i++) {
        char path[32];
        test_path(path, sizeof path, i);
        FILE *file = fopen(path, "w");
        if (!file)
            die(path);
        for (int line = 1; line <= TEST_LINES; line++)
            fputs(line % 2 ? "Ape\n" : "bee\n", file);
        fclose(file);
    }
}

static void remove_tree(void) {
    for (int i = 0; i < TEST_FILES; i++) {
        char path[32];
        test_path(path, sizeof path, i);
        unlink(path);
    }
    rmdir("grep-test.d");
}

static int test(void) {
    static char *paths[] = {"grep-test.d", "grep-test.no"};
    struct search search;
    struct buffer output = {0}, expected = {0};
    make_tree();
    begin_search(&search, "a.e$", true, true);
    run_search(&search, WORKERS, paths, 2, print_to_buffer, &output);
    end_search(&search);
    remove_tree();

    for (int i = 0; i < TEST_FILES; i++) {
        char path[32];
        test_path(path, sizeof path, i);
        for (long line = 1; line <= TEST_LINES; line += 2)
            append_line(&expected, path, line, "Ape", 3);
    }
    assert(output.length == expected.length);
    assert(memcmp(output.text, expected.text, output.length) == 0);
    assert(search.files == TEST_FILES);
    assert(search.lines == TEST_FILES * TEST_LINES);
    assert(search.found == TEST_FILES * ((TEST_LINES + 1) / 2));
    assert(search.errors == 1);
    free(output.text);
    free(expected.text);
    return 0;
}

int main(int argc, char **argv) {
    bool ignore_case = false, verbose = false;
    int workers = WORKERS, option;
    if (argc < 2)
        return test();
    while ((option = getopt(argc, argv, "ivj:")) != -1) {
        switch (option) {
        case 'i':
            ignore_case = true;
            break;
        case 'v':
            verbose = true;
            break;
        case 'j':
            workers = atoi(optarg);
            break;
        default:
            workers = 0;
        }
    }
    if (workers < 1 || argc - optind < 2) {
        fprintf(stderr, "usage: grep [-i] [-v] [-j WORKERS] PATTERN PATH...\n");
        return 2;
    }
    struct search search;
    begin_search(&search, argv[optind], ignore_case, verbose);
    run_search(&search, workers, argv + optind + 1, argc - optind - 1, print_to_stream, stdout);
    end_search(&search);
    if (verbose)
        fprintf(stderr, "grep: %ld files, %ld lines, %ld found\n", search.files, search.lines, search.found);
    if (search.errors > 0)
        return 2;
    return search.found > 0 ? 0 : 1;
}
