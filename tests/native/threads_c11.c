// C11 threads: create, join, mutex, condition, once and thread-specific storage.
#include <stdio.h>
#include <stdlib.h>
#include <threads.h>

static mtx_t lock;
static cnd_t changed;
static once_flag flag = ONCE_FLAG_INIT;
static tss_t key;
static int turn, initialisations;
static thread_local int rounds;

static void initialise(void) {
    initialisations++;
    tss_create(&key, free);
}

static int play(void *argument) {
    int self = *(int *)argument;
    call_once(&flag, initialise);
    int *mine = malloc(sizeof *mine);
    *mine = self;
    tss_set(key, mine);
    for (int i = 0; i < 3; i++) {
        mtx_lock(&lock);
        while (turn % 3 != self)
            cnd_wait(&changed, &lock);
        printf("player %d, turn %d\n", *(int *)tss_get(key), turn++);
        rounds++;
        cnd_broadcast(&changed);
        mtx_unlock(&lock);
    }
    if (self == 1)
        thrd_exit(rounds * 100);
    return rounds + self;
}

int main(void) {
    thrd_t threads[3];
    int numbers[3] = {0, 1, 2};
    mtx_init(&lock, mtx_plain);
    cnd_init(&changed);
    for (int i = 0; i < 3; i++)
        if (thrd_create(&threads[i], play, &numbers[i]) != thrd_success)
            return 1;
    int results[3];
    for (int i = 0; i < 3; i++)
        thrd_join(threads[i], &results[i]);
    printf("%d %d %d, %d, %d\n", results[0], results[1], results[2], initialisations, rounds);
    tss_delete(key);
    cnd_destroy(&changed);
    mtx_destroy(&lock);
    return 0;
}
