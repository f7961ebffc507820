// An object goes from thread to thread through a locked slot; who takes it out owns it, and frees it.
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *slot;

static void *give(void *unused) {
    int *fresh = malloc(sizeof *fresh);
    *fresh = 5;
    pthread_mutex_lock(&lock);
    slot = fresh;
    pthread_mutex_unlock(&lock);
    return unused;
}

static int *take(void) {
    pthread_mutex_lock(&lock);
    int *mine = slot;
    slot = NULL;
    pthread_mutex_unlock(&lock);
    return mine;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, give, NULL);
    int *early = take();
    if (early)
        assert(*early == 5);
    free(early);
    pthread_join(thread, NULL);
    free(take());
    return 0;
}
