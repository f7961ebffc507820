// A parallel compressor: a reader fills blocks, workers compress them by run-length coding, and a writer writes the results in the
// order of the blocks. A ring of slots holds the blocks that are under way, so that memory is bounded.
//
//     compress [-j WORKERS] [-d] INPUT OUTPUT        -d: decompress
//
// Without arguments, the program compresses and decompresses a short text, and tries an output that cannot be written.
//
// Bugs to choose with -DBUG=N:
//     1  the buffer for a compressed block is as large as the block, which may grow
//     2  a writer that cannot write ends without waking those that wait for it
//     3  the writer gives a slot back before it has written its block
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef WORKERS
#define WORKERS 2
#endif
#ifndef SLOTS
#define SLOTS 2 // blocks that are under way
#endif
#ifndef BLOCK
#define BLOCK 3 // bytes of a block
#endif
#ifndef TEXT
#define TEXT "aaaaabcdd" // what the test compresses
#endif

enum { LONGEST_RUN = 255 };

static void *allocate(size_t size) {
    void *memory = malloc(size);
    if (!memory) {
        perror("compress: malloc");
        exit(1);
    }
    return memory;
}

// ----------------------------------------------------------------------------------------------------------------- coding

struct bytes {
    unsigned char *data;
    size_t length;
};

// Each run of equal bytes becomes its length and the byte.
static struct bytes encode(const struct bytes *plain) {
#if BUG == 1
    struct bytes coded = {.data = allocate(plain->length)};
#else
    struct bytes coded = {.data = allocate(2 * plain->length)};
#endif
    size_t i = 0;
    while (i < plain->length) {
        size_t run = 1;
        while (i + run < plain->length && run < LONGEST_RUN && plain->data[i + run] == plain->data[i])
            run++;
        coded.data[coded.length++] = (unsigned char)run;
        coded.data[coded.length++] = plain->data[i];
        i += run;
    }
    return coded;
}

static bool decompress(FILE *input, FILE *output) {
    int run, byte;
    while ((run = getc(input)) != EOF) {
        if ((byte = getc(input)) == EOF || run == 0) {
            fprintf(stderr, "compress: the input is damaged\n");
            return false;
        }
        while (run-- > 0) {
            if (putc(byte, output) == EOF) {
                perror("compress: cannot write");
                return false;
            }
        }
    }
    return !ferror(input);
}

// --------------------------------------------------------------------------------------------------------------- pipeline

enum state { EMPTY, FILLED, CODED };

struct slot {
    enum state state;
    struct bytes plain; // of the reader while EMPTY, of a worker while FILLED
    struct bytes coded; // of the writer while CODED
};

// Block number n uses slot n % SLOTS.
struct pipeline {
    FILE *input, *output;

    pthread_mutex_t lock; // protects what follows
    pthread_cond_t emptied, filled, coded;
    struct slot slots[SLOTS];
    unsigned long read, taken, written; // blocks that the reader, the workers and the writer have passed
    bool at_end;                        // all blocks were read
    bool failed;                        // everybody stops
    unsigned long bytes_read, bytes_written;
};

static void open_pipeline(struct pipeline *pipeline, FILE *input, FILE *output) {
    memset(pipeline, 0, sizeof *pipeline);
    pipeline->input = input;
    pipeline->output = output;
    pthread_mutex_init(&pipeline->lock, NULL);
    pthread_cond_init(&pipeline->emptied, NULL);
    pthread_cond_init(&pipeline->filled, NULL);
    pthread_cond_init(&pipeline->coded, NULL);
    for (int i = 0; i < SLOTS; i++)
        pipeline->slots[i].plain.data = allocate(BLOCK);
}

static void close_pipeline(struct pipeline *pipeline) {
    for (int i = 0; i < SLOTS; i++) {
        free(pipeline->slots[i].plain.data);
        free(pipeline->slots[i].coded.data);
    }
    pthread_cond_destroy(&pipeline->coded);
    pthread_cond_destroy(&pipeline->filled);
    pthread_cond_destroy(&pipeline->emptied);
    pthread_mutex_destroy(&pipeline->lock);
}

// The lock is held.
static void wake_all(struct pipeline *pipeline) {
    pthread_cond_broadcast(&pipeline->emptied);
    pthread_cond_broadcast(&pipeline->filled);
    pthread_cond_broadcast(&pipeline->coded);
}

static void stop(struct pipeline *pipeline, const char *what) {
    fprintf(stderr, "compress: %s: %s\n", what, strerror(errno));
    pthread_mutex_lock(&pipeline->lock);
    pipeline->failed = true;
#if BUG != 2
    wake_all(pipeline);
#endif
    pthread_mutex_unlock(&pipeline->lock);
}

// The slot for the next block to read, or NULL if there is no point in reading on.
static struct slot *wait_for_empty(struct pipeline *pipeline) {
    pthread_mutex_lock(&pipeline->lock);
    struct slot *slot = &pipeline->slots[pipeline->read % SLOTS];
    while (slot->state != EMPTY && !pipeline->failed)
        pthread_cond_wait(&pipeline->emptied, &pipeline->lock);
    if (pipeline->failed)
        slot = NULL;
    pthread_mutex_unlock(&pipeline->lock);
    return slot;
}

static void read_blocks(struct pipeline *pipeline) {
    struct slot *slot;
    while ((slot = wait_for_empty(pipeline))) {
        slot->plain.length = fread(slot->plain.data, 1, BLOCK, pipeline->input);
        if (slot->plain.length == 0)
            break;
        pthread_mutex_lock(&pipeline->lock);
        pipeline->bytes_read += slot->plain.length;
        pipeline->read++;
        slot->state = FILLED;
        pthread_cond_signal(&pipeline->filled);
        pthread_mutex_unlock(&pipeline->lock);
    }
    if (ferror(pipeline->input))
        stop(pipeline, "cannot read");
    pthread_mutex_lock(&pipeline->lock);
    pipeline->at_end = true;
    wake_all(pipeline);
    pthread_mutex_unlock(&pipeline->lock);
}

// The slot of the next block that nobody compresses yet, or NULL if there will be none.
static struct slot *take_filled(struct pipeline *pipeline) {
    struct slot *slot = NULL;
    pthread_mutex_lock(&pipeline->lock);
    while (pipeline->taken == pipeline->read && !pipeline->at_end && !pipeline->failed)
        pthread_cond_wait(&pipeline->filled, &pipeline->lock);
    if (pipeline->taken < pipeline->read && !pipeline->failed)
        slot = &pipeline->slots[pipeline->taken++ % SLOTS];
    pthread_mutex_unlock(&pipeline->lock);
    return slot;
}

static void *compress_blocks(void *argument) {
    struct pipeline *pipeline = argument;
    struct slot *slot;
    while ((slot = take_filled(pipeline))) {
        slot->coded = encode(&slot->plain);
        pthread_mutex_lock(&pipeline->lock);
        slot->state = CODED;
        pthread_cond_signal(&pipeline->coded);
        pthread_mutex_unlock(&pipeline->lock);
    }
    return NULL;
}

// The slot of the next block to write, when it is compressed, or NULL if all are written.
static struct slot *wait_for_coded(struct pipeline *pipeline) {
    pthread_mutex_lock(&pipeline->lock);
    struct slot *slot = &pipeline->slots[pipeline->written % SLOTS];
    while (slot->state != CODED && !(pipeline->at_end && pipeline->written == pipeline->read) && !pipeline->failed)
        pthread_cond_wait(&pipeline->coded, &pipeline->lock);
    if (slot->state != CODED || pipeline->failed)
        slot = NULL;
    pthread_mutex_unlock(&pipeline->lock);
    return slot;
}

// The block of the slot is written; the reader may use it again.
static void give_back(struct pipeline *pipeline, struct slot *slot) {
    pthread_mutex_lock(&pipeline->lock);
    pipeline->bytes_written += slot->coded.length;
    pipeline->written++;
    slot->state = EMPTY;
    pthread_cond_signal(&pipeline->emptied);
    pthread_mutex_unlock(&pipeline->lock);
}

static void *write_blocks(void *argument) {
    struct pipeline *pipeline = argument;
    struct slot *slot;
    while ((slot = wait_for_coded(pipeline))) {
#if BUG == 3
        give_back(pipeline, slot);
#endif
        if (fwrite(slot->coded.data, 1, slot->coded.length, pipeline->output) != slot->coded.length) {
            stop(pipeline, "cannot write");
            break;
        }
        free(slot->coded.data);
        slot->coded.data = NULL;
#if BUG != 3
        give_back(pipeline, slot);
#endif
    }
    return NULL;
}

static void start(pthread_t *thread, void *(*function)(void *), struct pipeline *pipeline) {
    if ((errno = pthread_create(thread, NULL, function, pipeline))) {
        perror("compress: pthread_create");
        exit(1);
    }
}

// The calling thread reads.
static bool compress(FILE *input, FILE *output, int workers) {
    struct pipeline pipeline;
    pthread_t *threads = allocate((size_t)workers * sizeof *threads), writer;
    open_pipeline(&pipeline, input, output);
    start(&writer, write_blocks, &pipeline);
    for (int i = 0; i < workers; i++)
        start(&threads[i], compress_blocks, &pipeline);
    read_blocks(&pipeline);
    for (int i = 0; i < workers; i++)
        pthread_join(threads[i], NULL);
    pthread_join(writer, NULL);
    bool succeeded = !pipeline.failed;
    if (succeeded)
        fprintf(stderr, "compress: %lu bytes to %lu\n", pipeline.bytes_read, pipeline.bytes_written);
    close_pipeline(&pipeline);
    free(threads);
    return succeeded;
}

// ------------------------------------------------------------------------------------------------------------------- main

static FILE *open_or_exit(const char *path, const char *mode) {
    FILE *file = fopen(path, mode);
    if (!file) {
        fprintf(stderr, "compress: %s: %s\n", path, strerror(errno));
        exit(1);
    }
    return file;
}

static const char plain_path[] = "compress-test.txt", coded_path[] = "compress-test.rle";

static void test_round_trip(void) {
    FILE *input = open_or_exit(plain_path, "r"), *output = open_or_exit(coded_path, "w+");
    bool succeeded = compress(input, output, WORKERS);
    assert(succeeded);
    fclose(input);

    rewind(output);
    FILE *copy = open_or_exit(plain_path, "w+");
    succeeded = decompress(output, copy);
    assert(succeeded);
    rewind(copy);
    for (const char *text = TEXT; *text; text++) {
        int byte = getc(copy);
        assert(byte == *text);
    }
    assert(getc(copy) == EOF);
    fclose(copy);
    fclose(output);
}

static void test_unwritable_output(void) {
    FILE *input = open_or_exit(plain_path, "r"), *output = open_or_exit(plain_path, "r");
    bool succeeded = compress(input, output, WORKERS);
    assert(!succeeded);
    fclose(output);
    fclose(input);
}

static int test(void) {
    FILE *file = open_or_exit(plain_path, "w");
    fputs(TEXT, file);
    fclose(file);
    test_unwritable_output();
    test_round_trip();
    remove(plain_path);
    remove(coded_path);
    return 0;
}

int main(int argc, char **argv) {
    bool back = false;
    int workers = WORKERS, option;
    if (argc < 2)
        return test();
    while ((option = getopt(argc, argv, "dj:")) != -1) {
        if (option == 'd')
            back = true;
        else
            workers = option == 'j' ? atoi(optarg) : 0;
    }
    if (workers < 1 || argc - optind != 2) {
        fprintf(stderr, "usage: compress [-j WORKERS] [-d] INPUT OUTPUT\n");
        return 2;
    }
    FILE *input = open_or_exit(argv[optind], "rb"), *output = open_or_exit(argv[optind + 1], "wb");
    bool succeeded = back ? decompress(input, output) : compress(input, output, workers);
    if (fclose(output) != 0) {
        perror("compress: cannot write");
        succeeded = false;
    }
    fclose(input);
    if (!succeeded)
        remove(argv[optind + 1]);
    return succeeded ? 0 : 1;
}
