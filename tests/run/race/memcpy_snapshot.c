// run: --runs 50 --seed 1
// A snapshot of the statistics is copied while a worker still updates them.
#include <pthread.h>
#include <string.h>

struct stats {
    int hits, misses;
};
static struct stats live;

static void *worker(void *unused) {
    (void)unused;
    live.misses++; //~ error[race]
    return NULL;
}

int main(void) {
    struct stats copy;
    pthread_t thread;
    pthread_create(&thread, NULL, worker, NULL);
    memcpy(&copy, &live, sizeof copy);
    pthread_join(thread, NULL);
    return copy.misses > 1;
}
