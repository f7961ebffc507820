// run: --runs 50 --seed 1
// The semaphore hands the item over: what came before the post is seen after the wait.
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t filled;
static int item;

static void *produce(void *unused) {
    (void)unused;
    item = 5;
    sem_post(&filled);
    return NULL;
}

int main(void) {
    pthread_t thread;
    sem_init(&filled, 0, 0);
    pthread_create(&thread, NULL, produce, NULL);
    sem_wait(&filled);
    int seen = item;
    pthread_join(thread, NULL);
    assert(seen == 5);
    sem_destroy(&filled);
    return 0;
}
