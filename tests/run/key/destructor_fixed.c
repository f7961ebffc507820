// run: --runs 20 --seed 1
// The destructor frees what the thread allocated, when the thread ends.
#include <pthread.h>
#include <stdlib.h>

static pthread_key_t key;

static void *use(void *unused) {
    (void)unused;
    int *scratch = malloc(4 * sizeof *scratch);
    pthread_setspecific(key, scratch);
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_key_create(&key, free);
    pthread_create(&thread, NULL, use, NULL);
    pthread_join(thread, NULL);
    return 0;
}
