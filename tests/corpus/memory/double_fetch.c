// An index is read once for the check and once for the use, and changes in between.
#include <pthread.h>
#include <stdatomic.h>

static int cell[4];
static atomic_int place = 1;

static void *move(void *unused) {
    place = 9;
    return unused;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, move, NULL);
    if (place < 4)
        cell[place] = 1;
    pthread_join(thread, NULL);
    return 0;
}
