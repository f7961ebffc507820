// Each thread has an argument of its own.
#include <assert.h>
#include <pthread.h>

static int seen[2];

static void *work(void *argument) {
    seen[*(int *)argument] = 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    int numbers[2];
    for (int i = 0; i < 2; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    assert(seen[0] && seen[1]);
    return 0;
}
