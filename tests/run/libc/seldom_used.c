// run: --runs 20 --no-spurious-wakeups
// Functions that few programs call: the variants with a clock, bounded copies, streams, and the size of a block.
#define _GNU_SOURCE
#include <assert.h>
#include <malloc.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern size_t strlcpy(char *, const char *, size_t);
extern size_t strlcat(char *, const char *, size_t);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event = PTHREAD_COND_INITIALIZER;

int main(void) {
    struct timespec now, later = {0, 0};
    assert(timespec_get(&now, TIME_UTC) == TIME_UTC);
    assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){1, 0}, NULL) == 0);
    assert(pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &later) == 0);
    int error = pthread_cond_clockwait(&event, &lock, CLOCK_MONOTONIC, &later);
    assert(error != 0); // nobody signals
    pthread_mutex_unlock(&lock);
    sem_t semaphore;
    sem_init(&semaphore, 0, 1);
    assert(sem_clockwait(&semaphore, CLOCK_MONOTONIC, &later) == 0);
    sem_destroy(&semaphore);

    char text[8];
    assert(strlcpy(text, "abcdefghij", sizeof text) == 10 && strcmp(text, "abcdefg") == 0);
    text[3] = 0;
    assert(strlcat(text, "xyz", sizeof text) == 6 && strcmp(text, "abcxyz") == 0);
    assert(setvbuf(stdout, NULL, _IONBF, 0) == 0);
    assert(dprintf(1, "%s\n", text) == 7);
    int c = fgetc(stdin);
    assert(c == EOF || (c >= 0 && c <= 255));
    if (c == EOF)
        assert(feof(stdin));
    char *block = malloc(10);
    assert(malloc_usable_size(block) >= 10);
    free(block);
    return 0;
}
