// The repair: what was checked is what is used.
#include <assert.h>
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
    int mine = place;
    if (mine < 4)
        cell[mine] = 1;
    pthread_join(thread, NULL);
    assert(cell[0] == 0);
    return 0;
}
